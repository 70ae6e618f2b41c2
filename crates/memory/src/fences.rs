//! The fence instructions of the architectures and what each orders.
//!
//! SPARC's `membar` names its orderings itself (`#LoadLoad` and so on, see
//! [`Orderings::named`]). What remains of a fence under a model that keeps some
//! of its orderings anyway, [`Model::effective`](crate::Model::effective) tells.

use program::Orderings;

/// A fence instruction.
#[derive(Clone, Copy, Debug)]
pub struct FenceName {
    /// Its mnemonic.
    pub name: &'static str,
    /// What it orders.
    pub orders: Orderings,
}

/// Every fence instruction without operands. An X86 instruction with `LOCK`, and
/// `XCHG` with memory, has an `MFENCE` on either side.
pub const FENCES: [FenceName; 4] = [
    FenceName {
        name: "MFENCE",
        orders: Orderings::ALL,
    },
    FenceName {
        name: "LFENCE",
        orders: Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE),
    },
    FenceName {
        name: "SFENCE",
        orders: Orderings::STORE_STORE,
    },
    // SPARC V8's store barrier, which V9 keeps as `membar #StoreStore`.
    FenceName {
        name: "STBAR",
        orders: Orderings::STORE_STORE,
    },
];

/// What the fence instruction of this name, in any case, orders.
pub fn fence_named(name: &str) -> Option<Orderings> {
    FENCES
        .iter()
        .find(|fence| fence.name.eq_ignore_ascii_case(name))
        .map(|fence| fence.orders)
}
