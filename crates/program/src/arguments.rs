//! Which argument of a call is what, where functions that do the same differ in it.

use crate::{Routine, Width, Word};

/// The arguments of a call that starts a thread, after the one that says where its handle goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartArguments {
    /// The thread's attributes, which C11 does not have.
    pub attributes: Option<usize>,
    /// The thread's function.
    pub function: usize,
    /// What the function gets.
    pub argument: usize,
}

impl Routine {
    /// The arguments of a call that starts a thread.
    pub fn start_arguments(self) -> StartArguments {
        let attributes = (self == Routine::ThreadCreate).then_some(1);
        let function = 1 + usize::from(attributes.is_some());
        StartArguments {
            attributes,
            function,
            argument: function + 1,
        }
    }

    /// The width of the result that a join stores: a thread of C11 returns an `int`.
    pub fn joined_width(self) -> Width {
        if self == Routine::C11ThreadJoin {
            Width::W32
        } else {
            Width::W64
        }
    }

    /// The bytes that an allocation asks for, if its arguments are known and the number is one.
    pub fn allocated_size(self, argument: impl Fn(usize) -> Option<Word>) -> Option<Word> {
        match self {
            Routine::Malloc => argument(0),
            Routine::AlignedAlloc => argument(1),
            Routine::Calloc => argument(0)?.checked_mul(argument(1)?),
            _ => None,
        }
    }
}
