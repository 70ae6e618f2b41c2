//! What functions of one class differ in: their arguments, their results, and the numbers that say why they fail.

use crate::codes::{EAGAIN, EBUSY, EDEADLK, ETIMEDOUT, THRD_BUSY, THRD_ERROR, THRD_TIMEDOUT};
use crate::{Width, Word};

/// The standard that a function of threads or locks is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// `<pthread.h>`.
    Posix,
    /// `<threads.h>`.
    C11,
}

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

impl Standard {
    /// The arguments of a call that starts a thread.
    pub fn start_arguments(self) -> StartArguments {
        let (attributes, function) = match self {
            Standard::Posix => (Some(1), 2),
            Standard::C11 => (None, 1),
        };
        StartArguments {
            attributes,
            function,
            argument: function + 1,
        }
    }

    /// The width of the result that a join stores: a thread of C11 returns an `int`.
    pub fn joined_width(self) -> Width {
        match self {
            Standard::Posix => Width::W64,
            Standard::C11 => Width::W32,
        }
    }

    /// What a call returns that finds its lock held.
    pub fn busy(self) -> Word {
        match self {
            Standard::Posix => EBUSY,
            Standard::C11 => THRD_BUSY,
        }
    }

    /// What a call returns whose time is up.
    pub fn timed_out(self) -> Word {
        match self {
            Standard::Posix => ETIMEDOUT,
            Standard::C11 => THRD_TIMEDOUT,
        }
    }

    /// What a call returns that cannot start a thread.
    pub fn no_more_threads(self) -> Word {
        match self {
            Standard::Posix => EAGAIN,
            Standard::C11 => THRD_ERROR,
        }
    }

    /// What a call returns that would wait for its own thread.
    pub fn waits_for_itself(self) -> Word {
        match self {
            Standard::Posix => EDEADLK,
            Standard::C11 => THRD_ERROR,
        }
    }
}

/// How a call asks for a new object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// By a number of bytes.
    Bytes,
    /// By a number of elements and the size of one; they are zero.
    Zeroed,
    /// By an alignment and a number of bytes.
    Aligned,
}

impl Allocation {
    /// The bytes that it asks for, if its arguments are known and the number is one.
    pub fn size(self, argument: impl Fn(usize) -> Option<Word>) -> Option<Word> {
        match self {
            Allocation::Bytes => argument(0),
            Allocation::Zeroed => argument(0)?.checked_mul(argument(1)?),
            Allocation::Aligned => argument(1),
        }
    }

    /// Whether the object is all zeros.
    pub fn is_zeroed(self) -> bool {
        match self {
            Allocation::Bytes | Allocation::Aligned => false,
            Allocation::Zeroed => true,
        }
    }
}
