//! What the memory orders of C11 become on hardware.
//!
//! An atomic access of C is an access of the model with fences around it: those that
//! a compiler for SPARC under RMO puts there, of which a stronger model needs only
//! what it does not keep anyway ([`Model::effective`](crate::Model::effective)).
//! Sequential consistency is kept by a fence after the store, not before the load, as
//! compilers for X86 do it. Plain and relaxed accesses have no fence.
//! `docs/reference/models.md` shows the table.
//!
//! This is at least as strong as C11 asks for and in places stronger, as the hardware is:
//! a fence orders all accesses of its kinds, not just the one it belongs to, and a
//! compare-and-exchange that fails has the fences of one that writes
//! ([`compare_exchange`]).

use program::{AccessKind, MemoryOrder, Orderings};

/// The fences before and after an access.
pub type Around = (Orderings, Orderings);

/// What one memory order becomes.
#[derive(Clone, Copy, Debug)]
pub struct OrderRow {
    /// The order.
    pub order: MemoryOrder,
    /// Fences around a load.
    pub load: Around,
    /// Fences around a store.
    pub store: Around,
    /// Fences around a read-modify-write.
    pub update: Around,
    /// What `atomic_thread_fence` orders.
    pub fence: Orderings,
}

const NONE: Orderings = Orderings::NONE;
const ACQUIRE: Orderings = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
const RELEASE: Orderings = Orderings::LOAD_STORE.union(Orderings::STORE_STORE);

const fn unordered(order: MemoryOrder) -> OrderRow {
    OrderRow {
        order,
        load: (NONE, NONE),
        store: (NONE, NONE),
        update: (NONE, NONE),
        fence: NONE,
    }
}

/// The table, in the order of [`MemoryOrder::NAMED`].
pub const ORDERS: [OrderRow; 6] = [
    unordered(MemoryOrder::Plain),
    unordered(MemoryOrder::Relaxed),
    OrderRow {
        order: MemoryOrder::Acquire,
        load: (NONE, ACQUIRE),
        store: (NONE, NONE),
        update: (NONE, ACQUIRE),
        fence: ACQUIRE,
    },
    OrderRow {
        order: MemoryOrder::Release,
        load: (NONE, NONE),
        store: (RELEASE, NONE),
        update: (RELEASE, NONE),
        fence: RELEASE,
    },
    OrderRow {
        order: MemoryOrder::AcquireRelease,
        load: (NONE, ACQUIRE),
        store: (RELEASE, NONE),
        update: (RELEASE, ACQUIRE),
        fence: ACQUIRE.union(RELEASE),
    },
    OrderRow {
        order: MemoryOrder::SequentiallyConsistent,
        load: (NONE, ACQUIRE),
        store: (RELEASE, Orderings::STORE_LOAD),
        update: (RELEASE, Orderings::ALL),
        fence: Orderings::ALL,
    },
];

/// The fences before and after an access of this kind and order.
pub fn fences(kind: AccessKind, order: MemoryOrder) -> Around {
    let row = &ORDERS[order as usize];
    match (kind.load, kind.store) {
        (true, true) => row.update,
        (true, false) => row.load,
        (false, true) => row.store,
        (false, false) => (NONE, NONE),
    }
}

/// The fences before and after a compare-and-exchange, whether it writes or not: one
/// instruction has to do for both.
pub fn compare_exchange(success: MemoryOrder, failure: MemoryOrder) -> Around {
    let (before, after) = fences(AccessKind::UPDATE, success);
    let (failed_before, failed_after) = fences(AccessKind::LOAD, failure);
    (before.union(failed_before), after.union(failed_after))
}

/// What `atomic_thread_fence` of this order orders.
pub fn fence(order: MemoryOrder) -> Orderings {
    ORDERS[order as usize].fence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use MemoryOrder::*;

    const KINDS: [AccessKind; 3] = [AccessKind::LOAD, AccessKind::STORE, AccessKind::UPDATE];

    fn effective(model: Model, kind: AccessKind, order: MemoryOrder) -> Around {
        let (before, after) = fences(kind, order);
        (model.effective(before), model.effective(after))
    }

    #[test]
    fn rows_stand_at_their_orders_index() {
        for (index, row) in ORDERS.iter().enumerate() {
            assert_eq!(row.order as usize, index);
        }
    }

    #[test]
    fn on_tso_only_sequential_consistency_needs_a_fence() {
        for kind in KINDS {
            for order in [Plain, Relaxed, Acquire, Release, AcquireRelease] {
                assert_eq!(effective(Model::Tso, kind, order), (NONE, NONE));
            }
        }
        for kind in [AccessKind::STORE, AccessKind::UPDATE] {
            let around = effective(Model::Tso, kind, SequentiallyConsistent);
            assert_eq!(around, (NONE, Orderings::STORE_LOAD));
        }
        let load = effective(Model::Tso, AccessKind::LOAD, SequentiallyConsistent);
        assert_eq!(load, (NONE, NONE));
    }

    #[test]
    fn on_pso_a_release_waits_for_earlier_stores() {
        for kind in [AccessKind::STORE, AccessKind::UPDATE] {
            for order in [Release, AcquireRelease, SequentiallyConsistent] {
                let (before, _) = effective(Model::Pso, kind, order);
                assert_eq!(before, Orderings::STORE_STORE);
            }
        }
        let acquire = effective(Model::Pso, AccessKind::LOAD, Acquire);
        assert_eq!(acquire, (NONE, NONE));
    }

    #[test]
    fn sequential_consistency_needs_no_fence_under_itself() {
        for kind in KINDS {
            for (order, _) in MemoryOrder::NAMED {
                assert_eq!(effective(Model::Sc, kind, order), (NONE, NONE));
            }
        }
    }

    #[test]
    fn an_order_that_acquires_or_releases_more_orders_no_less() {
        let weaker = [
            (Relaxed, Acquire),
            (Relaxed, Release),
            (Acquire, AcquireRelease),
            (Release, AcquireRelease),
            (AcquireRelease, SequentiallyConsistent),
        ];
        for (weak, strong) in weaker {
            assert!(fence(strong).contains(fence(weak)));
            for kind in KINDS {
                let (weak, strong) = (fences(kind, weak), fences(kind, strong));
                assert!(strong.0.contains(weak.0) && strong.1.contains(weak.1));
            }
        }
    }

    #[test]
    fn a_read_modify_write_has_what_its_halves_need() {
        for (order, _) in MemoryOrder::NAMED {
            let load = fences(AccessKind::LOAD, order);
            let store = fences(AccessKind::STORE, order);
            let (before, after) = fences(AccessKind::UPDATE, order);
            assert!(before.contains(load.0.union(store.0)));
            assert!(after.contains(load.1.union(store.1)));
        }
    }

    #[test]
    fn a_failed_compare_and_exchange_acquires_as_it_says() {
        assert_eq!(compare_exchange(Release, Relaxed), (RELEASE, NONE));
        assert_eq!(compare_exchange(Release, Acquire), (RELEASE, ACQUIRE));
        let strongest = compare_exchange(SequentiallyConsistent, SequentiallyConsistent);
        assert_eq!(strongest, (RELEASE, Orderings::ALL));
    }
}
