//! What an instruction, or a call of the library, does that other threads can observe.
//!
//! This is the one place that decides it. The litmus machines, the process machine and the unroller lower an
//! instruction to its fence before, its access, and its fence after, as they stand here; what each fence means under a
//! model is in the model's row.

use crate::c11;
use program::{AccessKind, InstructionKind, MemoryOrder, Orderings, Routine, Synchronisation};

/// What an instruction does that other threads can observe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    /// The fence before its access.
    pub before: Orderings,
    /// What it does to memory. A call does nothing itself; what a function of the library does is [`Effects::of_routine`].
    pub access: Option<AccessKind>,
    /// The fence after its access, whether a compare-and-exchange succeeds or fails.
    pub after: Orderings,
    /// Whether a thread may stop before it, because when it happens may matter to others, or comes back to it from a call.
    pub stops: bool,
}

/// What only its thread can observe.
const NOTHING: Effects = Effects {
    before: Orderings::NONE,
    access: None,
    after: Orderings::NONE,
    stops: false,
};

/// What has no access of its own, but may have to wait.
const STEP: Effects = Effects {
    stops: true,
    ..NOTHING
};

impl Effects {
    /// The effects of an instruction.
    pub fn of(kind: &InstructionKind) -> Self {
        use InstructionKind::*;
        match kind {
            Assign { .. } | Assert { .. } | Assume { .. } => NOTHING,
            Load { access, .. } => Effects::of_access(AccessKind::LOAD, access.order),
            Store { access, .. } => Effects::of_access(AccessKind::STORE, access.order),
            Update { access, .. } => Effects::of_access(AccessKind::UPDATE, access.order),
            CompareExchange {
                access, failure, ..
            } => Effects::around(
                Some(AccessKind::UPDATE),
                c11::compare_exchange(access.order, *failure),
            ),
            Fence(orderings) => Effects {
                after: *orderings,
                ..STEP
            },
            // No store is in a buffer when an atomic section begins or ends. Machines wait for that.
            AtomicBegin => Effects {
                before: Orderings::ALL,
                ..STEP
            },
            AtomicEnd => Effects {
                after: Orderings::ALL,
                ..STEP
            },
            Call { .. } | Allocate { .. } | Choose { .. } | Observe { .. } => STEP,
        }
    }

    /// The effects of an access.
    pub fn of_access(kind: AccessKind, order: MemoryOrder) -> Self {
        Effects::around(Some(kind), c11::fences(kind, order))
    }

    /// The effects of the access that a function of the library makes to its object.
    pub fn of_routine(routine: Routine) -> Self {
        match routine.row().synchronises {
            Synchronisation::Nothing | Synchronisation::Prelude => STEP,
            Synchronisation::Load(order) => Effects::of_access(AccessKind::LOAD, order),
            Synchronisation::Store(order) => Effects::of_access(AccessKind::STORE, order),
            Synchronisation::Update(order) | Synchronisation::Attempt(order, _) => {
                Effects::of_access(AccessKind::UPDATE, order)
            }
            Synchronisation::Full => Effects::around(None, (Orderings::ALL, Orderings::NONE)),
        }
    }

    fn around(access: Option<AccessKind>, (before, after): c11::Around) -> Self {
        Effects {
            before,
            access,
            after,
            stops: true,
        }
    }
}
