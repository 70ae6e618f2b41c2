//! The instruction set: mnemonics, size suffixes and condition codes.

use program::{Orderings, UpdateOp, Width};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Move,
    LoadAddress,
    MoveExtended { signed: bool },
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

/// A condition code: a test of the flags, or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub test: Flags,
    pub negated: bool,
}

/// The tests of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flags {
    Overflow,
    Below,
    Equal,
    BelowOrEqual,
    Sign,
    Parity,
    Less,
    LessOrEqual,
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

const CONDITIONS: [(&str, Flags, bool); 30] = [
    ("O", Flags::Overflow, false),
    ("NO", Flags::Overflow, true),
    ("B", Flags::Below, false),
    ("C", Flags::Below, false),
    ("NAE", Flags::Below, false),
    ("NB", Flags::Below, true),
    ("NC", Flags::Below, true),
    ("AE", Flags::Below, true),
    ("E", Flags::Equal, false),
    ("Z", Flags::Equal, false),
    ("NE", Flags::Equal, true),
    ("NZ", Flags::Equal, true),
    ("BE", Flags::BelowOrEqual, false),
    ("NA", Flags::BelowOrEqual, false),
    ("NBE", Flags::BelowOrEqual, true),
    ("A", Flags::BelowOrEqual, true),
    ("S", Flags::Sign, false),
    ("NS", Flags::Sign, true),
    ("P", Flags::Parity, false),
    ("PE", Flags::Parity, false),
    ("NP", Flags::Parity, true),
    ("PO", Flags::Parity, true),
    ("L", Flags::Less, false),
    ("NGE", Flags::Less, false),
    ("NL", Flags::Less, true),
    ("GE", Flags::Less, true),
    ("LE", Flags::LessOrEqual, false),
    ("NG", Flags::LessOrEqual, false),
    ("NLE", Flags::LessOrEqual, true),
    ("G", Flags::LessOrEqual, true),
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

/// Every mnemonic but those with condition codes.
pub fn names() -> impl Iterator<Item = &'static str> {
    let instructions = INSTRUCTIONS.iter().map(|(name, _)| *name);
    instructions.chain(FENCES).chain(["JE", "JNE", "LOCK"])
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
