//! What waits in a reorder box.

use crate::code::Pc;
use program::Word;

/// A value, or the entry that will give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    Known(Word),
    /// Index of an entry of the same box.
    Waiting(u32),
}

impl Slot {
    pub(super) fn known(self) -> Option<Word> {
        match self {
            Slot::Known(word) => Some(word),
            Slot::Waiting(_) => None,
        }
    }
}

/// An issued instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    /// Which instruction.
    pub(super) pc: Pc,
    /// Whether it is the first in the box of the operations that were issued with it, as one
    /// instruction.
    pub(super) is_first: bool,
    /// Its operands, renamed; the address of an access comes first.
    pub(super) operands: Vec<Slot>,
    /// Performed, but an earlier access of unknown address may yet turn out to be
    /// one that should have come first.
    pub(super) performed: bool,
    /// For a branch.
    pub(super) prediction: Option<Prediction>,
}

/// What a branch was predicted to do, and the registers to go back to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Prediction {
    pub(super) taken: bool,
    pub(super) registers: Vec<Slot>,
}

impl Entry {
    pub(super) fn new(pc: Pc, operands: Vec<Slot>) -> Self {
        Entry {
            pc,
            is_first: true,
            operands,
            performed: false,
            prediction: None,
        }
    }

    /// The value of an operand, if there is one and it is known.
    pub(super) fn word(&self, operand: usize) -> Option<Word> {
        self.operands.get(operand).copied()?.known()
    }

    /// The values of all operands, if known.
    pub(super) fn words(&self) -> Option<Vec<Word>> {
        self.operands.iter().map(|slot| slot.known()).collect()
    }
}
