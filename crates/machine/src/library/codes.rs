//! Numbers that library functions return, as Linux and glibc have them.

use program::Word;

pub const EPERM: Word = 1;
pub const ESRCH: Word = 3;
pub const EAGAIN: Word = 11;
pub const ENOMEM: Word = 12;
pub const EBUSY: Word = 16;
pub const EINVAL: Word = 22;
pub const ERANGE: Word = 34;
pub const EDEADLK: Word = 35;
pub const ETIMEDOUT: Word = 110;

pub const THRD_SUCCESS: Word = 0;
pub const THRD_BUSY: Word = 1;
pub const THRD_ERROR: Word = 2;
pub const THRD_TIMEDOUT: Word = 4;
