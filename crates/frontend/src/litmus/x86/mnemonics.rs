//! The instruction set: mnemonics, size suffixes and condition codes.

use crate::litmus::flags::{Condition, Test};
use program::{Orderings, UpdateOp, Width};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Move,
    LoadAddress,
    MoveExtended {
        signed: bool,
    },
    Exchange,
    ExchangeAdd,
    CompareExchange,
    Arithmetic(UpdateOp),
    Increment,
    Decrement,
    Not,
    Negate,
    Compare,
    Test,
    Fence(Orderings),
    /// `NOP` and `PAUSE`.
    Nothing,
    Jump,
    JumpIf(Condition),
    SetIf(Condition),
    MoveIf(Condition),
}

/// Instructions that are no fence and have no condition code. A fence's meaning
/// stands in the table of the memory models.
const INSTRUCTIONS: [(&str, Operation); 22] = [
    ("MOV", Operation::Move),
    ("LEA", Operation::LoadAddress),
    ("MOVZX", Operation::MoveExtended { signed: false }),
    ("MOVSX", Operation::MoveExtended { signed: true }),
    ("MOVSXD", Operation::MoveExtended { signed: true }),
    ("XCHG", Operation::Exchange),
    ("XADD", Operation::ExchangeAdd),
    ("CMPXCHG", Operation::CompareExchange),
    ("ADD", Operation::Arithmetic(UpdateOp::Add)),
    ("SUB", Operation::Arithmetic(UpdateOp::Sub)),
    ("AND", Operation::Arithmetic(UpdateOp::And)),
    ("OR", Operation::Arithmetic(UpdateOp::Or)),
    ("XOR", Operation::Arithmetic(UpdateOp::Xor)),
    ("INC", Operation::Increment),
    ("DEC", Operation::Decrement),
    ("NOT", Operation::Not),
    ("NEG", Operation::Negate),
    ("CMP", Operation::Compare),
    ("TEST", Operation::Test),
    ("NOP", Operation::Nothing),
    ("PAUSE", Operation::Nothing),
    ("JMP", Operation::Jump),
];

const FENCES: [&str; 3] = ["MFENCE", "LFENCE", "SFENCE"];

const CONDITIONS: [(&str, Test, bool); 30] = [
    ("O", Test::Overflow, false),
    ("NO", Test::Overflow, true),
    ("B", Test::Below, false),
    ("C", Test::Below, false),
    ("NAE", Test::Below, false),
    ("NB", Test::Below, true),
    ("NC", Test::Below, true),
    ("AE", Test::Below, true),
    ("E", Test::Equal, false),
    ("Z", Test::Equal, false),
    ("NE", Test::Equal, true),
    ("NZ", Test::Equal, true),
    ("BE", Test::BelowOrEqual, false),
    ("NA", Test::BelowOrEqual, false),
    ("NBE", Test::BelowOrEqual, true),
    ("A", Test::BelowOrEqual, true),
    ("S", Test::Sign, false),
    ("NS", Test::Sign, true),
    ("P", Test::Parity, false),
    ("PE", Test::Parity, false),
    ("NP", Test::Parity, true),
    ("PO", Test::Parity, true),
    ("L", Test::Less, false),
    ("NGE", Test::Less, false),
    ("NL", Test::Less, true),
    ("GE", Test::Less, true),
    ("LE", Test::LessOrEqual, false),
    ("NG", Test::LessOrEqual, false),
    ("NLE", Test::LessOrEqual, true),
    ("G", Test::LessOrEqual, true),
];

const SUFFIXES: [(char, Width); 4] = [
    ('B', Width::W8),
    ('W', Width::W16),
    ('L', Width::W32),
    ('Q', Width::W64),
];

/// The instruction of this name, in any case, and the width that its suffix asks for.
pub fn mnemonic(name: &str) -> Option<(Operation, Option<Width>)> {
    let name = name.to_ascii_uppercase();
    if let Some(operation) = plain(&name) {
        return Some((operation, None));
    }
    let last = name.chars().last()?;
    let (_, width) = SUFFIXES.iter().find(|(suffix, _)| *suffix == last)?;
    let operation = plain(name.strip_suffix(last)?)?;
    let fixed = matches!(
        operation,
        Operation::Fence(_)
            | Operation::Nothing
            | Operation::Jump
            | Operation::JumpIf(_)
            | Operation::SetIf(_)
            | Operation::MoveExtended { .. }
    );
    (!fixed).then_some((operation, Some(*width)))
}

fn plain(name: &str) -> Option<Operation> {
    if let Some((_, operation)) = INSTRUCTIONS.iter().find(|(known, _)| *known == name) {
        return Some(*operation);
    }
    if FENCES.contains(&name) {
        return memory::fence_named(name).map(Operation::Fence);
    }
    let conditional = |prefix: &str| name.strip_prefix(prefix).and_then(condition);
    conditional("J")
        .map(Operation::JumpIf)
        .or_else(|| conditional("SET").map(Operation::SetIf))
        .or_else(|| conditional("CMOV").map(Operation::MoveIf))
}

fn condition(code: &str) -> Option<Condition> {
    let found = CONDITIONS.iter().find(|(known, ..)| *known == code)?;
    Some(Condition {
        test: found.1,
        negated: found.2,
    })
}

/// Every mnemonic but those with condition codes, of which there are two.
pub fn names() -> impl Iterator<Item = &'static str> {
    plain_names().chain(["JE", "JNE", "LOCK"])
}

/// Every mnemonic but those with condition codes.
pub fn plain_names() -> impl Iterator<Item = &'static str> {
    let instructions = INSTRUCTIONS.iter().map(|(name, _)| *name);
    instructions.chain(FENCES)
}

/// Every condition code.
pub fn conditions() -> impl Iterator<Item = &'static str> {
    CONDITIONS.iter().map(|(code, ..)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_do_not_hide_instructions() {
        assert_eq!(mnemonic("sub").unwrap().1, None);
        assert_eq!(mnemonic("subb").unwrap().1, Some(Width::W8));
        assert_eq!(mnemonic("MOVQ"), Some((Operation::Move, Some(Width::W64))));
        assert!(matches!(mnemonic("JB").unwrap().0, Operation::JumpIf(_)));
        assert_eq!(mnemonic("MFENCEL"), None);
        assert_eq!(mnemonic("STBAR"), None);
        assert_eq!(mnemonic(""), None);
    }
}
