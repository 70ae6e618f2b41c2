//! The instructions: one table from mnemonics to what they do.
//!
//! In AT&T's syntax a letter behind the mnemonic may say how wide the operands are; a name that is in the table as it
//! stands has no such letter.

use program::{Orderings, Width};

/// What [`decode`] knows, for messages and documentation.
pub const ACCEPTED: &str = "mov, movzx, movsx, movabs, lea, xchg, push and pop of registers, \
    add, adc, sub, sbb, and, or, xor, not, neg, inc, dec, cmp, test, imul of two or three operands, \
    shl, sal, shr, sar, rol, ror, bt, bts, btr, btc, bsf, bsr, tzcnt, lzcnt, popcnt, bswap, \
    xadd, cmpxchg, cmpxchg8b, cmpxchg16b, `lock` before those that may have it, setcc, cmovcc, jmp and jcc to labels, \
    mfence, lfence, sfence, pause, nop, prefetches, rdtsc, ud2, int3";

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `mov`
    Move,
    /// `movzx`, from an operand of this width, or as wide as it is.
    MoveZero(Option<Width>),
    /// `movsx`, `movslq`
    MoveSign(Option<Width>),
    /// `lea`
    LoadAddress,
    /// `xchg`
    Exchange,
    /// `xadd`
    ExchangeAdd,
    /// `cmpxchg`
    CompareExchange,
    /// `cmpxchg8b` and `cmpxchg16b`: two words of this width.
    CompareExchangePair(Width),
    /// `add` and its like: the first operand is read and written.
    Arithmetic(Arithmetic),
    /// `cmp`
    Compare,
    /// `test`
    Test,
    /// `not`
    Not,
    /// `neg`
    Negate,
    /// `inc`
    Increment,
    /// `dec`
    Decrement,
    /// `imul` of two or three operands.
    Multiply,
    /// `shl` and its like.
    Shift(Shift),
    /// `bt` and its like.
    BitTest(BitTest),
    /// `bsf`, `bsr`
    Scan {
        /// From the highest bit downwards.
        reverse: bool,
    },
    /// `popcnt`, `tzcnt`, `lzcnt`
    Count(Count),
    /// `bswap`
    SwapBytes,
    /// `push`
    Push,
    /// `pop`
    Pop,
    /// `setcc`
    Set(Condition),
    /// `cmovcc`
    MoveIf(Condition),
    /// `jmp`, `jcc`
    Jump(Option<Condition>),
    /// `mfence`, `lfence`, `sfence`
    Fence(Orderings),
    /// `pause`, `nop`, prefetches: nothing that a program could notice.
    Nothing,
    /// `rdtsc`
    TimeStamp,
    /// `ud2`, `int3`
    Trap,
}

/// Operations on two operands that write the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `add`
    Add,
    /// `adc`
    AddCarry,
    /// `sub`
    Subtract,
    /// `sbb`
    SubtractBorrow,
    /// `and`
    And,
    /// `or`
    Or,
    /// `xor`
    Xor,
}

/// Shifts and rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// `shl`, `sal`
    Left,
    /// `shr`
    Right,
    /// `sar`
    Arithmetic,
    /// `rol`
    RotateLeft,
    /// `ror`
    RotateRight,
}

/// What becomes of the bit that is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitTest {
    /// `bt`
    Keep,
    /// `bts`
    Set,
    /// `btr`
    Reset,
    /// `btc`
    Complement,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// `popcnt`
    Ones,
    /// `tzcnt`
    TrailingZeros,
    /// `lzcnt`
    LeadingZeros,
}

/// A flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// CF
    Carry,
    /// ZF
    Zero,
    /// SF
    Sign,
    /// OF
    Overflow,
    /// PF
    Parity,
}

impl Flag {
    /// Every flag.
    pub const ALL: [Flag; 5] = [
        Flag::Carry,
        Flag::Zero,
        Flag::Sign,
        Flag::Overflow,
        Flag::Parity,
    ];
}

/// What is asked of the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// A flag.
    Flag(Flag),
    /// CF or ZF: below or equal, as unsigned numbers.
    BelowOrEqual,
    /// SF is not OF: less, as signed numbers.
    Less,
    /// ZF, or SF is not OF: less or equal.
    LessOrEqual,
}

/// A condition such as `ne`: a test, and what it must give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The test.
    pub test: Test,
    /// What makes the condition hold.
    pub wanted: bool,
}

const CONDITIONS: &[(Test, &[&str], &[&str])] = &[
    (Test::Flag(Flag::Overflow), &["o"], &["no"]),
    (
        Test::Flag(Flag::Carry),
        &["b", "c", "nae"],
        &["nb", "nc", "ae"],
    ),
    (Test::Flag(Flag::Zero), &["z", "e"], &["nz", "ne"]),
    (Test::BelowOrEqual, &["be", "na"], &["nbe", "a"]),
    (Test::Flag(Flag::Sign), &["s"], &["ns"]),
    (Test::Flag(Flag::Parity), &["p", "pe"], &["np", "po"]),
    (Test::Less, &["l", "nge"], &["nl", "ge"]),
    (Test::LessOrEqual, &["le", "ng"], &["nle", "g"]),
];

impl Condition {
    /// The condition of a name such as `ne`.
    pub fn named(name: &str) -> Option<Condition> {
        CONDITIONS.iter().find_map(|(test, holds, fails)| {
            let wanted = holds.contains(&name);
            let condition = Condition {
                test: *test,
                wanted,
            };
            (wanted || fails.contains(&name)).then_some(condition)
        })
    }

    /// Whether the flag decides it.
    pub fn reads(self, flag: Flag) -> bool {
        match self.test {
            Test::Flag(tested) => tested == flag,
            Test::BelowOrEqual => matches!(flag, Flag::Carry | Flag::Zero),
            Test::Less => matches!(flag, Flag::Sign | Flag::Overflow),
            Test::LessOrEqual => matches!(flag, Flag::Zero | Flag::Sign | Flag::Overflow),
        }
    }
}

/// The instructions that may have a suffix, or none.
const SIZED: &[(&str, Operation)] = &[
    ("mov", Operation::Move),
    ("movabs", Operation::Move),
    ("lea", Operation::LoadAddress),
    ("xchg", Operation::Exchange),
    ("xadd", Operation::ExchangeAdd),
    ("cmpxchg", Operation::CompareExchange),
    ("add", Operation::Arithmetic(Arithmetic::Add)),
    ("adc", Operation::Arithmetic(Arithmetic::AddCarry)),
    ("sub", Operation::Arithmetic(Arithmetic::Subtract)),
    ("sbb", Operation::Arithmetic(Arithmetic::SubtractBorrow)),
    ("and", Operation::Arithmetic(Arithmetic::And)),
    ("or", Operation::Arithmetic(Arithmetic::Or)),
    ("xor", Operation::Arithmetic(Arithmetic::Xor)),
    ("cmp", Operation::Compare),
    ("test", Operation::Test),
    ("not", Operation::Not),
    ("neg", Operation::Negate),
    ("inc", Operation::Increment),
    ("dec", Operation::Decrement),
    ("imul", Operation::Multiply),
    ("shl", Operation::Shift(Shift::Left)),
    ("sal", Operation::Shift(Shift::Left)),
    ("shr", Operation::Shift(Shift::Right)),
    ("sar", Operation::Shift(Shift::Arithmetic)),
    ("rol", Operation::Shift(Shift::RotateLeft)),
    ("ror", Operation::Shift(Shift::RotateRight)),
    ("bt", Operation::BitTest(BitTest::Keep)),
    ("bts", Operation::BitTest(BitTest::Set)),
    ("btr", Operation::BitTest(BitTest::Reset)),
    ("btc", Operation::BitTest(BitTest::Complement)),
    ("bsf", Operation::Scan { reverse: false }),
    ("bsr", Operation::Scan { reverse: true }),
    ("popcnt", Operation::Count(Count::Ones)),
    ("tzcnt", Operation::Count(Count::TrailingZeros)),
    ("lzcnt", Operation::Count(Count::LeadingZeros)),
    ("bswap", Operation::SwapBytes),
    ("push", Operation::Push),
    ("pop", Operation::Pop),
    ("movzx", Operation::MoveZero(None)),
    ("movsx", Operation::MoveSign(None)),
];

/// The instructions whose name says all.
const PLAIN: &[(&str, Operation)] = &[
    ("movsxd", Operation::MoveSign(Some(Width::W32))),
    ("cmpxchg8b", Operation::CompareExchangePair(Width::W32)),
    ("cmpxchg16b", Operation::CompareExchangePair(Width::W64)),
    ("jmp", Operation::Jump(None)),
    ("mfence", Operation::Fence(Orderings::ALL)),
    (
        "lfence",
        Operation::Fence(Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE)),
    ),
    ("sfence", Operation::Fence(Orderings::STORE_STORE)),
    ("pause", Operation::Nothing),
    ("nop", Operation::Nothing),
    ("nopw", Operation::Nothing),
    ("nopl", Operation::Nothing),
    ("prefetcht0", Operation::Nothing),
    ("prefetcht1", Operation::Nothing),
    ("prefetcht2", Operation::Nothing),
    ("prefetchnta", Operation::Nothing),
    ("prefetchw", Operation::Nothing),
    ("rdtsc", Operation::TimeStamp),
    ("ud2", Operation::Trap),
    ("int3", Operation::Trap),
];

/// The width that a letter behind a mnemonic names.
pub fn suffix_width(letter: char) -> Option<Width> {
    Some(match letter {
        'b' => Width::W8,
        'w' => Width::W16,
        'l' => Width::W32,
        'q' => Width::W64,
        _ => return None,
    })
}

/// What a mnemonic means, and the width that it says.
pub fn decode(mnemonic: &str) -> Option<(Operation, Option<Width>)> {
    let find = |table: &[(&str, Operation)], name: &str| {
        let row = table.iter().find(|(known, _)| *known == name)?;
        Some(row.1)
    };
    if let Some(operation) = find(PLAIN, mnemonic).or_else(|| find(SIZED, mnemonic)) {
        return Some((operation, None));
    }
    for (stem, make) in [
        ("set", Operation::Set as fn(Condition) -> Operation),
        ("cmov", Operation::MoveIf),
        ("j", |condition| Operation::Jump(Some(condition))),
    ] {
        let Some(name) = mnemonic.strip_prefix(stem) else {
            continue;
        };
        if let Some(condition) = Condition::named(name) {
            return Some((make(condition), None));
        }
        // `cmovzl`, `setzb`
        let (name, width) = split_suffix(name)?;
        let condition = Condition::named(name)?;
        return (stem != "j").then_some((make(condition), Some(width)));
    }
    // `movzbl`: from a byte to a long.
    for (stem, make) in [
        (
            "movz",
            Operation::MoveZero as fn(Option<Width>) -> Operation,
        ),
        ("movs", Operation::MoveSign),
    ] {
        if let Some(letters) = mnemonic.strip_prefix(stem)
            && let [from, to] = letters.chars().collect::<Vec<_>>()[..]
            && let (Some(from), Some(to)) = (suffix_width(from), suffix_width(to))
        {
            return (from < to).then_some((make(Some(from)), Some(to)));
        }
    }
    let (stem, width) = split_suffix(mnemonic)?;
    Some((find(SIZED, stem)?, Some(width)))
}

fn split_suffix(name: &str) -> Option<(&str, Width)> {
    let last = name.chars().last()?;
    let width = suffix_width(last)?;
    Some((&name[..name.len() - 1], width))
}

impl Operation {
    /// Whether `lock` may stand before it, where it writes memory.
    pub fn may_lock(self) -> bool {
        match self {
            Operation::Exchange
            | Operation::ExchangeAdd
            | Operation::CompareExchange
            | Operation::CompareExchangePair(_)
            | Operation::Arithmetic(_)
            | Operation::Not
            | Operation::Negate
            | Operation::Increment
            | Operation::Decrement => true,
            Operation::BitTest(test) => test != BitTest::Keep,
            _ => false,
        }
    }

    /// The condition that it asks for, and whether it reads the carry beside.
    pub fn reads(self, flag: Flag) -> bool {
        match self {
            Operation::Set(condition)
            | Operation::MoveIf(condition)
            | Operation::Jump(Some(condition)) => condition.reads(flag),
            Operation::Arithmetic(Arithmetic::AddCarry | Arithmetic::SubtractBorrow) => {
                flag == Flag::Carry
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mnemonics_with_and_without_suffixes() {
        let add = Operation::Arithmetic(Arithmetic::Add);
        let not_zero = Condition::named("nz").expect("a condition");
        for (mnemonic, operation, width) in [
            ("mov", Operation::Move, None),
            ("movb", Operation::Move, Some(8)),
            ("movabsq", Operation::Move, Some(64)),
            ("movzbl", Operation::MoveZero(Some(Width::W8)), Some(32)),
            ("movslq", Operation::MoveSign(Some(Width::W32)), Some(64)),
            ("addq", add, Some(64)),
            ("shl", Operation::Shift(Shift::Left), None),
            ("shll", Operation::Shift(Shift::Left), Some(32)),
            ("btl", Operation::BitTest(BitTest::Keep), Some(32)),
            ("bts", Operation::BitTest(BitTest::Set), None),
            ("setne", Operation::Set(not_zero), None),
            ("cmovnel", Operation::MoveIf(not_zero), Some(32)),
            ("jnz", Operation::Jump(Some(not_zero)), None),
            ("cmpxchgb", Operation::CompareExchange, Some(8)),
            (
                "cmpxchg8b",
                Operation::CompareExchangePair(Width::W32),
                None,
            ),
            (
                "cmpxchg16b",
                Operation::CompareExchangePair(Width::W64),
                None,
            ),
        ] {
            let width = width.and_then(Width::of_bits);
            assert_eq!(decode(mnemonic), Some((operation, width)), "{mnemonic}");
        }
        for mnemonic in [
            "", "cpuid", "movx", "movzlb", "jq", "setq", "mfencel", "syscall", "é",
        ] {
            assert_eq!(decode(mnemonic), None, "{mnemonic}");
        }
    }

    #[test]
    fn conditions_have_opposites() {
        for (name, opposite) in [
            ("z", "ne"),
            ("c", "ae"),
            ("g", "le"),
            ("nge", "ge"),
            ("pe", "po"),
        ] {
            let [one, other] = [name, opposite].map(|name| Condition::named(name).expect(name));
            assert_eq!((one.test, one.wanted), (other.test, !other.wanted));
        }
    }

    #[test]
    fn the_list_has_every_name() {
        let listed = |name: &str| ACCEPTED.split([' ', ',']).any(|word| word == name);
        let unlisted = ["jmp", "nopw", "nopl", "movsxd"];
        for (name, _) in SIZED.iter().chain(PLAIN) {
            let listed = listed(name) || name.starts_with("prefetch") || unlisted.contains(name);
            assert!(listed, "{name}");
        }
    }
}
