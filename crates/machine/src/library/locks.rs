//! Mutexes, spin locks and read-write locks.
//!
//! A lock's state lies in its own bytes, where the C library would keep it, so that locks
//! initialised statically, or copied from an initialised one, work: all zeros is a
//! free normal lock.

use super::lifetimes::SyncObject;
use super::{Caller, Flow, Run};
use crate::process::value::Value;
use answer::Event;
use memory::Condition;
use program::Standard::{C11, Posix};
use program::codes::{EDEADLK, EINVAL, EPERM};
use program::in_family::{Mutexes, ReadWriteLocks, SpinLocks};
use program::mutex::{COUNT, ERROR_CHECKING, KIND, OWNER, RECURSIVE};
use program::{InFamily, Routine, Sought, Word};

/// Fields of `pthread_rwlock_t`: number of readers, and writer. Who reads is known of the
/// threads.
pub(super) const READERS: u64 = 0;
pub(super) const WRITER: u64 = 4;

impl Caller<'_, '_> {
    pub(super) fn mutex_routine(&mut self, routine: Mutexes) -> Run<Flow> {
        use Mutexes::*;
        let lock = self.word(0)?;
        match routine {
            MutexInit | C11MutexInit => self.initialise_object(SyncObject::Mutex, lock),
            MutexDestroy | C11MutexDestroy => self.destroy_object(SyncObject::Mutex, lock),
            MutexAttributesInit => self.initialise(lock, &[0; 4]),
            MutexAttributesSetType => {
                if self.word(1)? as u32 > 2 {
                    return Ok(Flow::Returns(EINVAL));
                }
                self.write_word(lock, 4, self.value(1))?;
                Ok(Flow::Returns(0))
            }
            MutexAttributesGetType => {
                let kind = self.field(lock, 4)?;
                self.write_word(self.word(1)?, 4, Value::new(kind))?;
                Ok(Flow::Returns(0))
            }
            MutexLock | MutexTryLock => self.lock_or_return(lock, Posix.busy()),
            MutexTimedLock => self.lock_or_return(lock, Posix.timed_out()),
            C11MutexLock | C11MutexTryLock => self.lock_or_return(lock, C11.busy()),
            C11MutexTimedLock => self.lock_or_return(lock, C11.timed_out()),
            MutexUnlock | C11MutexUnlock => self.in_one_act(lock, Self::mutex_unlock),
        }
    }

    pub(super) fn spin_routine(&mut self, routine: SpinLocks) -> Run<Flow> {
        use SpinLocks::*;
        let lock = self.word(0)?;
        match routine {
            SpinInit => self.initialise_object(SyncObject::SpinLock, lock),
            SpinDestroy => self.destroy_object(SyncObject::SpinLock, lock),
            SpinLock | SpinTryLock => {
                let flow = self.follow_steps(lock)?;
                if flow == Flow::Returns(0) {
                    self.acquire(lock);
                    self.note_lock("locks", lock);
                }
                Ok(flow)
            }
            SpinUnlock => {
                self.release(lock);
                let flow = self.follow_steps(lock)?;
                self.note_lock("unlocks", lock);
                Ok(flow)
            }
        }
    }

    /// Uses a mutex, whose owner alone stands for all its fields in traces.
    fn in_one_act(
        &mut self,
        lock: Word,
        routine: impl FnOnce(&mut Self, Word) -> Run<Flow>,
    ) -> Run<Flow> {
        self.mutex_owner(lock)?;
        let flow = self.unrecorded(|this| routine(this, lock));
        if let Ok(Flow::Returns(0)) = flow {
            self.record_update(lock + OWNER, 4)?;
        }
        flow
    }

    pub(super) fn initialise(&mut self, address: Word, bytes: &[u8]) -> Run<Flow> {
        self.write_defined(address, bytes)?;
        Ok(Flow::Returns(0))
    }

    fn note_lock(&mut self, verb: &str, lock: Word) {
        self.note(|names| Event::Call(format!("{verb} {}", names.object(lock))));
    }

    pub(super) fn not_held(&self, lock: Word) -> String {
        format!("{} is not held by the caller", self.names().object(lock))
    }

    pub(super) fn mutex_owner(&mut self, lock: Word) -> Run<Word> {
        self.field(lock + OWNER, 4)
    }

    /// Locks a mutex, or returns this number.
    fn lock_or_return(&mut self, lock: Word, not_locked: Word) -> Run<Flow> {
        self.in_one_act(lock, |this, lock| this.mutex_lock(lock, not_locked))
    }

    fn mutex_lock(&mut self, lock: Word, not_locked: Word) -> Run<Flow> {
        let owner = self.mutex_owner(lock)?;
        let kind = self.field(lock + KIND, 4)?;
        let held = Condition::HELD.holds(owner, self.id);
        if held && kind == RECURSIVE {
            let count = self.field(lock + COUNT, 4)? + 1;
            self.set_field(lock + COUNT, 4, count)?;
            self.note_lock("locks again", lock);
            return Ok(Flow::Returns(0));
        }
        if held && kind == ERROR_CHECKING && self.routine != Routine::MutexTryLock {
            return Ok(Flow::Returns(EDEADLK));
        }
        if !Condition::FREE.holds(owner, self.id) || self.choice == 1 {
            self.note_lock("fails to lock", lock);
            return Ok(Flow::Returns(not_locked));
        }
        self.take_mutex(lock)?;
        Ok(Flow::Returns(0))
    }

    /// Takes a mutex that is free.
    pub(super) fn take_mutex(&mut self, lock: Word) -> Run<()> {
        self.set_field(lock, 4, 1)?;
        self.set_field(lock + COUNT, 4, 1)?;
        self.set_field(lock + OWNER, 4, self.id.handle())?;
        self.acquire(lock);
        self.note_lock("locks", lock);
        Ok(())
    }

    fn mutex_unlock(&mut self, lock: Word) -> Run<Flow> {
        let owner = self.mutex_owner(lock)?;
        let kind = self.field(lock + KIND, 4)?;
        if !Condition::HELD.holds(owner, self.id) {
            return match kind {
                RECURSIVE | ERROR_CHECKING => Ok(Flow::Returns(EPERM)),
                _ => Err(self.misuse(self.not_held(lock))),
            };
        }
        let count = self.field(lock + COUNT, 4)?;
        if count > 1 {
            self.set_field(lock + COUNT, 4, count - 1)?;
            return Ok(Flow::Returns(0));
        }
        self.release_mutex(lock)?;
        Ok(Flow::Returns(0))
    }

    /// Gives a mutex back.
    pub(super) fn release_mutex(&mut self, lock: Word) -> Run<()> {
        for field in [0, COUNT, OWNER] {
            self.set_field(lock + field, 4, 0)?;
        }
        self.release(lock);
        self.note_lock("unlocks", lock);
        Ok(())
    }

    pub(super) fn read_write_routine(&mut self, routine: ReadWriteLocks) -> Run<Flow> {
        use ReadWriteLocks::*;
        let lock = self.word(0)?;
        match routine {
            RwInit => self.initialise_object(SyncObject::ReadWriteLock, lock),
            RwDestroy => self.destroy_object(SyncObject::ReadWriteLock, lock),
            RwReadLock | RwTryReadLock => self.lock_for_reading(lock, Posix.busy()),
            RwTimedReadLock => self.lock_for_reading(lock, Posix.timed_out()),
            RwWriteLock | RwTryWriteLock => self.lock_for_writing(lock, Posix.busy()),
            RwTimedWriteLock => self.lock_for_writing(lock, Posix.timed_out()),
            RwUnlock => self.unlock_read_write(lock),
        }
    }

    fn lock_for_reading(&mut self, lock: Word, not_locked: Word) -> Run<Flow> {
        let (readers, writer) = self.readers_and_writer(lock)?;
        if writer == self.id.handle() && self.routine != Routine::RwTryReadLock {
            return Ok(Flow::Returns(EDEADLK));
        }
        if writer != 0 || self.choice == 1 {
            return Ok(Flow::Returns(not_locked));
        }
        self.set_field(lock + READERS, 4, readers + 1)?;
        self.set_reads(lock, self.reads(lock) + 1);
        self.acquire(lock);
        self.note_lock("locks for reading", lock);
        Ok(Flow::Returns(0))
    }

    fn lock_for_writing(&mut self, lock: Word, not_locked: Word) -> Run<Flow> {
        let (readers, writer) = self.readers_and_writer(lock)?;
        let me = self.id.handle();
        if writer == me && self.routine != Routine::RwTryWriteLock {
            return Ok(Flow::Returns(EDEADLK));
        }
        if writer != 0 || readers != 0 || self.choice == 1 {
            return Ok(Flow::Returns(not_locked));
        }
        self.set_field(lock + WRITER, 4, me)?;
        self.acquire(lock);
        self.note_lock("locks for writing", lock);
        Ok(Flow::Returns(0))
    }

    fn unlock_read_write(&mut self, lock: Word) -> Run<Flow> {
        let (readers, writer) = self.readers_and_writer(lock)?;
        let reads = self.reads(lock);
        if writer == self.id.handle() {
            self.set_field(lock + WRITER, 4, 0)?;
        } else if reads > 0 {
            self.set_field(lock + READERS, 4, readers - 1)?;
            self.set_reads(lock, reads - 1);
        } else {
            return Err(self.misuse(self.not_held(lock)));
        }
        self.release(lock);
        self.note_lock("unlocks", lock);
        Ok(Flow::Returns(0))
    }

    fn readers_and_writer(&mut self, lock: Word) -> Run<(Word, Word)> {
        let readers = self.field(lock + READERS, 4)?;
        Ok((readers, self.field(lock + WRITER, 4)?))
    }

    /// True if a call has to do with its own thread only: it locks a mutex again that it holds, gives
    /// one back that it holds more often, or fails because of what it holds itself. No
    /// implementation makes an atomic access for that.
    pub(crate) fn asks_only_itself(&mut self) -> bool {
        use Mutexes::*;
        use ReadWriteLocks::*;
        let (me, lock) = (self.id.handle(), self.value(0).word);
        let routine = self.routine.in_family();
        let mut get = |field: u64| self.field_if_initialised(lock.wrapping_add(field));
        match routine {
            InFamily::Mutexes(routine) => match routine {
                MutexLock | MutexTimedLock | C11MutexLock | C11MutexTimedLock => {
                    let kind = get(KIND);
                    get(OWNER) == Some(me) && matches!(kind, Some(RECURSIVE | ERROR_CHECKING))
                }
                MutexTryLock | C11MutexTryLock => {
                    get(OWNER) == Some(me) && get(KIND) == Some(RECURSIVE)
                }
                MutexUnlock | C11MutexUnlock if get(OWNER) == Some(me) => {
                    get(COUNT).is_some_and(|count| count > 1)
                }
                MutexUnlock | C11MutexUnlock => {
                    matches!(get(KIND), Some(RECURSIVE | ERROR_CHECKING))
                }
                MutexInit
                | MutexDestroy
                | C11MutexInit
                | C11MutexDestroy
                | MutexAttributesInit
                | MutexAttributesSetType
                | MutexAttributesGetType => false,
            },
            InFamily::ReadWriteLocks(routine) => match routine {
                RwReadLock | RwTimedReadLock | RwWriteLock | RwTimedWriteLock => {
                    get(WRITER) == Some(me)
                }
                RwTryReadLock | RwTryWriteLock | RwUnlock | RwInit | RwDestroy => false,
            },
            // These have no owner that counts.
            InFamily::SpinLocks(_)
            | InFamily::Semaphores(_)
            | InFamily::Threads(_)
            | InFamily::Conditions(_)
            | InFamily::Barriers(_)
            | InFamily::Keys(_)
            | InFamily::Heap(_)
            | InFamily::Memory(_)
            | InFamily::Strings(_)
            | InFamily::Output(_)
            | InFamily::Ending(_)
            | InFamily::Chance(_)
            | InFamily::Arithmetic(_)
            | InFamily::Checking(_) => false,
        }
    }

    /// True if a call that looks first finds what it looks for.
    pub(crate) fn finds(&mut self, sought: Sought) -> bool {
        let Ok(object) = self.word(0) else {
            return false;
        };
        let me = self.id;
        let holds = |condition: Condition| move |word| condition.holds(word, me);
        match sought {
            Sought::FreeMutex => self.mutex_owner(object).is_ok_and(holds(Condition::FREE)),
            Sought::NoWriter => self.field(object + WRITER, 4).is_ok_and(|w| w == 0),
            Sought::FreeReadWriteLock => {
                let readers = self.field(object + READERS, 4);
                let writer = self.field(object + WRITER, 4);
                matches!((readers, writer), (Ok(0), Ok(0)))
            }
            Sought::Semaphore => self.field(object, 4).is_ok_and(holds(Condition::Positive)),
            Sought::EndedThread => self.may_be_joined(object),
            Sought::Waiter => self.has_waiters(object),
        }
    }

    /// True if a mutex may be taken now, or taking it fails at once. What is wrong with it is found when the call goes on.
    pub(super) fn can_take_mutex(&mut self, mutex: Word) -> bool {
        let owner = self.field_if_initialised(mutex.wrapping_add(OWNER));
        let kind = self.field_if_initialised(mutex.wrapping_add(KIND));
        let (Some(owner), Some(kind)) = (owner, kind) else {
            return true;
        };
        let fails = matches!(kind, RECURSIVE | ERROR_CHECKING);
        Condition::FREE.holds(owner, self.id) || Condition::HELD.holds(owner, self.id) && fails
    }

    /// The same for a read-write lock, for reading.
    pub(super) fn can_read(&mut self, lock: Word) -> bool {
        let writer = self.field_if_initialised(lock.wrapping_add(WRITER));
        writer.is_none_or(|writer| writer == 0 || writer == self.id.handle())
    }

    /// The same for a read-write lock, for writing.
    pub(super) fn can_write(&mut self, lock: Word) -> bool {
        let readers = self.field_if_initialised(lock.wrapping_add(READERS));
        let writer = self.field_if_initialised(lock.wrapping_add(WRITER));
        let free = readers == Some(0) && writer == Some(0);
        free || readers.is_none() || writer == Some(self.id.handle())
    }

    /// Why a thread waits for a lock whose owner is in this field.
    pub(super) fn lock_reason(&mut self, lock: Word, owner: u64) -> String {
        let name = self.names().object(lock);
        match self.field_if_initialised(lock + owner).unwrap_or(0) {
            0 => format!("waits for {name}, held by readers"),
            owner if owner == self.id.handle() => {
                format!("waits for {name}, which it holds itself")
            }
            owner => {
                let holder = self
                    .thread_of(owner)
                    .map(|holder| self.names().thread(holder));
                format!("waits for {name}, held by {}", holder.unwrap_or_default())
            }
        }
    }
}
