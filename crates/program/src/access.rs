//! How a memory access is ordered and aligned.

/// The C11 memory order of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryOrder {
    /// Not atomic: two such accesses, one of them a write, must not race.
    Plain,
    /// Atomic, and nothing more: what an instruction of a litmus test is.
    #[default]
    Relaxed,
    /// Before everything later.
    Acquire,
    /// After everything earlier.
    Release,
    /// Both.
    AcquireRelease,
    /// Both, and in one order with all others of its kind.
    SequentiallyConsistent,
}

impl MemoryOrder {
    /// Every order with its name in printed programs.
    pub const NAMED: [(MemoryOrder, &'static str); 6] = [
        (MemoryOrder::Plain, "plain"),
        (MemoryOrder::Relaxed, "relaxed"),
        (MemoryOrder::Acquire, "acquire"),
        (MemoryOrder::Release, "release"),
        (MemoryOrder::AcquireRelease, "acq_rel"),
        (MemoryOrder::SequentiallyConsistent, "seq_cst"),
    ];

    /// Whether it orders other accesses.
    pub fn is_ordering(self) -> bool {
        !matches!(self, MemoryOrder::Plain | MemoryOrder::Relaxed)
    }

    /// Its name in printed programs.
    pub fn name(self) -> &'static str {
        Self::NAMED[self as usize].1
    }

    /// The order of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMED.iter().find(|(_, known)| *known == name);
        found.map(|(order, _)| *order)
    }

    /// True if what was released to the access is acquired.
    pub fn acquires(self) -> bool {
        use MemoryOrder::*;
        matches!(self, Acquire | AcquireRelease | SequentiallyConsistent)
    }

    /// True if what came before is released by the access.
    pub fn releases(self) -> bool {
        use MemoryOrder::*;
        matches!(self, Release | AcquireRelease | SequentiallyConsistent)
    }
}

/// How an access is ordered and aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Access {
    /// Its memory order.
    pub order: MemoryOrder,
    /// Its address is a multiple of 2 to this power, or the access is wrong.
    pub alignment: u8,
}

impl Access {
    /// A plain access at an address that is a multiple of `bytes`.
    pub fn plain(bytes: u64) -> Self {
        Access::ordered(MemoryOrder::Plain, bytes)
    }

    /// An access of this order at an address that is a multiple of `bytes`.
    pub fn ordered(order: MemoryOrder, bytes: u64) -> Self {
        let alignment = bytes.max(1).trailing_zeros() as u8;
        Access { order, alignment }
    }
}
