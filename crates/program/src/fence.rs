//! Fences as sets of the four orderings that a SPARC `membar` can ask for.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Loads, stores, or both: what a memory access does, and one side of an
/// ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccessKind {
    /// The access reads memory.
    pub load: bool,
    /// The access writes memory.
    pub store: bool,
}

impl AccessKind {
    /// A plain load.
    pub const LOAD: AccessKind = AccessKind {
        load: true,
        store: false,
    };
    /// A plain store.
    pub const STORE: AccessKind = AccessKind {
        load: false,
        store: true,
    };
    /// An atomic read-modify-write: both at once.
    pub const UPDATE: AccessKind = AccessKind {
        load: true,
        store: true,
    };
}

/// A set of orderings between earlier and later accesses of one thread.
///
/// A fence with such a set makes every earlier access of the left kind reach
/// memory before every later access of the right kind.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Orderings(u8);

impl Orderings {
    /// No ordering at all.
    pub const NONE: Orderings = Orderings(0);
    /// Loads before later loads.
    pub const LOAD_LOAD: Orderings = Orderings(1);
    /// Loads before later stores.
    pub const LOAD_STORE: Orderings = Orderings(2);
    /// Stores before later loads.
    pub const STORE_LOAD: Orderings = Orderings(4);
    /// Stores before later stores.
    pub const STORE_STORE: Orderings = Orderings(8);
    /// Everything before everything: a full fence.
    pub const ALL: Orderings = Orderings(15);

    /// The four single orderings with their SPARC names, in the order of the manual.
    pub const NAMED: [(Orderings, &'static str); 4] = [
        (Self::LOAD_LOAD, "LoadLoad"),
        (Self::STORE_LOAD, "StoreLoad"),
        (Self::LOAD_STORE, "LoadStore"),
        (Self::STORE_STORE, "StoreStore"),
    ];

    /// The ordering of this SPARC name (`LoadLoad` and so on), in any case.
    pub fn named(name: &str) -> Option<Orderings> {
        Self::NAMED
            .into_iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(name))
            .map(|(ordering, _)| ordering)
    }

    /// Everything in either set.
    pub const fn union(self, other: Orderings) -> Orderings {
        Orderings(self.0 | other.0)
    }

    /// Everything in this set that is not in `other`.
    pub const fn minus(self, other: Orderings) -> Orderings {
        Orderings(self.0 & !other.0)
    }

    /// True if all of `other` is in this set.
    pub const fn contains(self, other: Orderings) -> bool {
        self.0 & other.0 == other.0
    }

    /// True for the set without orderings.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set keeps an access of kind `earlier` before one of kind `later`.
    pub const fn orders(self, earlier: AccessKind, later: AccessKind) -> bool {
        let wanted = (earlier.load && later.load) as u8
            | ((earlier.load && later.store) as u8) << 1
            | ((earlier.store && later.load) as u8) << 2
            | ((earlier.store && later.store) as u8) << 3;
        self.0 & wanted != 0
    }

    /// True if some ordering has `kind` on its left.
    pub const fn orders_after(self, kind: AccessKind) -> bool {
        self.orders(kind, AccessKind::UPDATE)
    }
}

/// `#LoadLoad #StoreStore`, as in a `membar`.
impl fmt::Display for Orderings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for (ordering, name) in Self::NAMED {
            if self.contains(ordering) {
                write!(f, "{gap}#{name}")?;
                gap = " ";
            }
        }
        if self.is_empty() {
            f.write_str("#None")?;
        }
        Ok(())
    }
}
