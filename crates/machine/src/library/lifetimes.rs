//! The lives of mutexes, spin locks, read-write locks, condition variables, barriers and
//! semaphores: initialising and destroying them.
//!
//! A destroyed object is undefined again, as memory is that was never initialised: destroying
//! stores undefined bytes over the fields that every use reads. So each use of a destroyed object is
//! wrong, destroying it twice is, and in traces the store conflicts with all uses. The stores are plain
//! ones, as those of implementations are, and may wait in the store buffer.
//!
//! It is wrong to destroy or to initialise an object that is in use: a lock that is held, a mutex that a
//! waiting thread will take again, a condition variable or a barrier at which threads wait. A thread
//! that waits for a semaphore or a lock when that is destroyed finds it destroyed. Initialising an
//! object again that nobody uses is let pass, though POSIX leaves it undefined: memory
//! may have been in use for something else before.

use super::locks::{READERS, WRITER};
use super::waiting::{ARRIVED, NEEDED};
use super::{Caller, Flow, Run};
use program::mutex::{self, KIND, OWNER};
use program::{Routine, Word};

const C11_RECURSIVE: Word = 1;

/// What the library makes and destroys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyncObject {
    Mutex,
    SpinLock,
    ReadWriteLock,
    Condition,
    Barrier,
    Semaphore,
}

impl SyncObject {
    /// Bytes of it.
    fn size(self) -> usize {
        match self {
            SyncObject::Mutex => mutex::BYTES as usize,
            SyncObject::SpinLock => 4,
            SyncObject::ReadWriteLock => 56,
            SyncObject::Condition => 48,
            SyncObject::Barrier | SyncObject::Semaphore => 32,
        }
    }

    /// Offset and size of the fields that every use reads; of a mutex the owner stands for all.
    fn state(self) -> (u64, usize) {
        match self {
            SyncObject::Mutex => (OWNER, 4),
            SyncObject::ReadWriteLock => (READERS, 8),
            SyncObject::Barrier => (NEEDED, 8),
            SyncObject::SpinLock | SyncObject::Condition | SyncObject::Semaphore => (0, 4),
        }
    }
}

impl Caller<'_, '_> {
    /// Initialises an object of the library.
    pub(super) fn initialise_object(&mut self, what: SyncObject, object: Word) -> Run<Flow> {
        let mut bytes = vec![0; what.size()];
        match what {
            SyncObject::Mutex if self.routine == Routine::C11MutexInit => {
                bytes[KIND as usize] = (self.word(1)? & C11_RECURSIVE) as u8;
            }
            SyncObject::Mutex => {
                let attributes = self.word(1)?;
                if attributes != 0 {
                    bytes[KIND as usize] = self.field(attributes, 4)? as u8;
                }
            }
            SyncObject::Barrier | SyncObject::Semaphore => {
                let number = self.word(2)? as u32;
                if number == 0 && what == SyncObject::Barrier {
                    return Ok(Flow::Returns(program::codes::EINVAL));
                }
                bytes[..4].copy_from_slice(&number.to_le_bytes());
            }
            SyncObject::SpinLock | SyncObject::ReadWriteLock | SyncObject::Condition => {}
        }
        if let Some(use_of_it) = self.is_in_use(what, object, false) {
            return Err(self.misuse(use_of_it));
        }
        self.initialise(object, &bytes)
    }

    /// Destroys an object of the library.
    pub(super) fn destroy_object(&mut self, what: SyncObject, object: Word) -> Run<Flow> {
        let (offset, size) = what.state();
        let state = self.field(object + offset, 4)?;
        if what == SyncObject::Barrier && state == 0 {
            return Err(self.misuse(self.never_initialised(object)));
        }
        if let Some(use_of_it) = self.is_in_use(what, object, true) {
            return Err(self.misuse(use_of_it));
        }
        let undefined = vec![(0, 0xff); size];
        self.write_bytes(object + offset, &undefined)?;
        Ok(Flow::Returns(0))
    }

    /// What is wrong with a barrier whose bytes are zeros.
    pub(super) fn never_initialised(&self, object: Word) -> String {
        format!("{} was never initialised", self.names().object(object))
    }

    /// How an object is used, if it is. What is to be initialised may hold anything, so only
    /// what nobody else would write there counts then.
    fn is_in_use(&mut self, what: SyncObject, object: Word, destroys: bool) -> Option<String> {
        let name = self.names().object(object);
        let held = || format!("{name} is held");
        match what {
            SyncObject::Mutex => {
                let holder = self.field_if_initialised(object + OWNER)?;
                if let Some(holder) = self.thread_of(holder) {
                    return Some(format!("{name} is held by {}", self.names().thread(holder)));
                }
                let waited_for = self.will_be_reacquired(object);
                waited_for.then(|| format!("{name} is waited for"))
            }
            SyncObject::SpinLock => {
                let holder = self.field_if_initialised(object)?;
                self.thread_of(holder).map(|_| held())
            }
            SyncObject::ReadWriteLock => {
                let readers = self.field_if_initialised(object + READERS)?;
                let writer = self.field_if_initialised(object + WRITER)?;
                let read = readers != 0 && self.is_read_by_any(object);
                (read || self.thread_of(writer).is_some()).then(held)
            }
            SyncObject::Condition => {
                let waited_for = !self.waiters(object).is_empty();
                waited_for.then(|| format!("{name} is waited for"))
            }
            SyncObject::Barrier => {
                let arrived = self.field_if_initialised(object + ARRIVED)?;
                if destroys {
                    // Threads that have not left yet do not matter: implementations wait for them.
                    return (arrived != 0).then(|| format!("a thread waits at {name}"));
                }
                let used = self.is_barrier_in_use(object);
                used.then(|| format!("a thread waits at {name}, or has not left it"))
            }
            SyncObject::Semaphore => None,
        }
    }
}
