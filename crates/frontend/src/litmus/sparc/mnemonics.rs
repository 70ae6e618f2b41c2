//! The instruction set: mnemonics and conditions of branches.

use crate::litmus::flags::{Condition, Test};
use program::{Binary, Width};

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Load(Width),
    Store(Width),
    /// `ldstub`: read a byte and set all its bits.
    LoadStore,
    Swap,
    CompareSwap(Width),
    /// `membar`, which names its orderings.
    Membar,
    /// `stbar`.
    StoreBarrier,
    Move,
    Arithmetic {
        operation: Binary,
        /// Sets the condition codes.
        sets_codes: bool,
    },
    Compare,
    Test,
    Nothing,
    Clear,
    /// `inc` and `dec`.
    Step(Binary),
    Branch(When),
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    Never,
    If(Condition),
}

const fn arithmetic(operation: Binary, sets_codes: bool) -> Operation {
    Operation::Arithmetic {
        operation,
        sets_codes,
    }
}

const fn branch(test: Test, negated: bool) -> Operation {
    Operation::Branch(When::If(Condition { test, negated }))
}

const INSTRUCTIONS: [(&str, Operation); 58] = [
    ("ld", Operation::Load(Width::W32)),
    ("lduw", Operation::Load(Width::W32)),
    ("ldub", Operation::Load(Width::W8)),
    ("lduh", Operation::Load(Width::W16)),
    ("ldx", Operation::Load(Width::W64)),
    ("st", Operation::Store(Width::W32)),
    ("stw", Operation::Store(Width::W32)),
    ("stuw", Operation::Store(Width::W32)),
    ("stub", Operation::Store(Width::W8)),
    ("stb", Operation::Store(Width::W8)),
    ("sth", Operation::Store(Width::W16)),
    ("stuh", Operation::Store(Width::W16)),
    ("stx", Operation::Store(Width::W64)),
    ("ldstub", Operation::LoadStore),
    ("swap", Operation::Swap),
    ("cas", Operation::CompareSwap(Width::W32)),
    ("casx", Operation::CompareSwap(Width::W64)),
    ("membar", Operation::Membar),
    ("stbar", Operation::StoreBarrier),
    ("mov", Operation::Move),
    ("set", Operation::Move),
    ("add", arithmetic(Binary::Add, false)),
    ("sub", arithmetic(Binary::Sub, false)),
    ("and", arithmetic(Binary::And, false)),
    ("or", arithmetic(Binary::Or, false)),
    ("xor", arithmetic(Binary::Xor, false)),
    ("addcc", arithmetic(Binary::Add, true)),
    ("subcc", arithmetic(Binary::Sub, true)),
    ("andcc", arithmetic(Binary::And, true)),
    ("orcc", arithmetic(Binary::Or, true)),
    ("xorcc", arithmetic(Binary::Xor, true)),
    ("cmp", Operation::Compare),
    ("tst", Operation::Test),
    ("nop", Operation::Nothing),
    ("clr", Operation::Clear),
    ("inc", Operation::Step(Binary::Add)),
    ("dec", Operation::Step(Binary::Sub)),
    ("ba", Operation::Branch(When::Always)),
    ("b", Operation::Branch(When::Always)),
    ("bn", Operation::Branch(When::Never)),
    ("be", branch(Test::Equal, false)),
    ("bz", branch(Test::Equal, false)),
    ("bne", branch(Test::Equal, true)),
    ("bnz", branch(Test::Equal, true)),
    ("bl", branch(Test::Less, false)),
    ("bge", branch(Test::Less, true)),
    ("ble", branch(Test::LessOrEqual, false)),
    ("bg", branch(Test::LessOrEqual, true)),
    ("bcs", branch(Test::Below, false)),
    ("blu", branch(Test::Below, false)),
    ("bcc", branch(Test::Below, true)),
    ("bgeu", branch(Test::Below, true)),
    ("bleu", branch(Test::BelowOrEqual, false)),
    ("bgu", branch(Test::BelowOrEqual, true)),
    ("bneg", branch(Test::Sign, false)),
    ("bpos", branch(Test::Sign, true)),
    ("bvs", branch(Test::Overflow, false)),
    ("bvc", branch(Test::Overflow, true)),
];

/// The instruction of this name, in any case.
pub fn mnemonic(name: &str) -> Option<Operation> {
    let found = INSTRUCTIONS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, operation)| *operation)
}

/// Every mnemonic.
pub fn names() -> impl Iterator<Item = &'static str> {
    INSTRUCTIONS.iter().map(|(name, _)| *name)
}
