//! Numbers that library functions return, as Linux and glibc have them.

use crate::{ThreadId, Word};

/// Operation not permitted.
pub const EPERM: Word = 1;
/// No such process.
pub const ESRCH: Word = 3;
/// Resource temporarily unavailable.
pub const EAGAIN: Word = 11;
/// Cannot allocate memory.
pub const ENOMEM: Word = 12;
/// Device or resource busy.
pub const EBUSY: Word = 16;
/// Invalid argument.
pub const EINVAL: Word = 22;
/// Numerical result out of range.
pub const ERANGE: Word = 34;
/// Resource deadlock avoided.
pub const EDEADLK: Word = 35;
/// Connection timed out.
pub const ETIMEDOUT: Word = 110;

/// What C11 functions return that succeed.
pub const THRD_SUCCESS: Word = 0;
/// The lock is held.
pub const THRD_BUSY: Word = 1;
/// A failure without a number of its own.
pub const THRD_ERROR: Word = 2;
/// The time is up.
pub const THRD_TIMEDOUT: Word = 4;

/// What functions of semaphores return if they fail.
pub const FAILED: Word = 0xffff_ffff;

impl ThreadId {
    /// What `pthread_self` returns in the thread, and what a lock that it holds has in it: never 0.
    pub fn handle(self) -> Word {
        Word::from(self.0) + 1
    }
}
