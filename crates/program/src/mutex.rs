//! The fields of `pthread_mutex_t` and `mtx_t`, as glibc lays them out, and the kinds of mutexes.

use crate::Word;

/// Bytes of a mutex.
pub const BYTES: u32 = 40;
/// Offset of how often its owner has locked it.
pub const COUNT: Word = 4;
/// Offset of its owner's handle.
pub const OWNER: Word = 8;
/// Offset of its kind, which has four bytes.
pub const KIND: Word = 16;

/// Its owner may lock it again.
pub const RECURSIVE: Word = 1;
/// Calls that would be misuse return an error.
pub const ERROR_CHECKING: Word = 2;
/// The kinds that behave alike: normal, adaptive.
pub const PLAIN: [Word; 2] = [0, 3];
