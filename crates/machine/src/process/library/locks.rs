//! Mutexes, spin locks and read-write locks.
//!
//! A lock's state lies in its own bytes, where the C library would keep it, so that locks
//! initialised statically, or copied from an initialised one, work: all zeros is a
//! free normal lock.

use super::codes::{
    EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT, THRD_BUSY, THRD_ERROR, THRD_TIMEDOUT,
};
use super::lifetimes::SyncObject;
use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::value::Value;
use answer::Event;
use program::in_family::{Mutexes, ReadWriteLocks, SpinLocks};
use program::{InFamily, MemoryOrder, Routine, Sought, ThreadId, Word};

/// Fields of `pthread_mutex_t` and `mtx_t` as glibc has them: count, owner, kind.
const COUNT: u64 = 4;
pub(super) const OWNER: u64 = 8;
pub(super) const KIND: u64 = 16;
/// Fields of `pthread_rwlock_t`: number of readers, and writer. Who reads is known of the
/// threads.
pub(super) const READERS: u64 = 0;
pub(super) const WRITER: u64 = 4;

const RECURSIVE: Word = 1;
const ERROR_CHECKING: Word = 2;

fn owner_number(id: ThreadId) -> Word {
    Word::from(id.0) + 1
}

impl Process<'_> {
    pub(super) fn mutex_routine(&mut self, call: &Call, routine: Mutexes) -> Run<Flow> {
        use Mutexes::*;
        let lock = call.word(0)?;
        match routine {
            MutexInit | C11MutexInit => self.initialise_object(call, SyncObject::Mutex, lock),
            MutexDestroy | C11MutexDestroy => self.destroy_object(call, SyncObject::Mutex, lock),
            MutexAttributesInit => self.initialise(call, lock, &[0; 4]),
            MutexAttributesSetType => {
                if call.word(1)? as u32 > 2 {
                    return Ok(Flow::Returns(EINVAL));
                }
                self.write_word(call.id, call.span, lock, 4, call.value(1))?;
                Ok(Flow::Returns(0))
            }
            MutexAttributesGetType => {
                let kind = self.field(call, lock, 4)?;
                self.write_word(call.id, call.span, call.word(1)?, 4, Value::new(kind))?;
                Ok(Flow::Returns(0))
            }
            MutexLock | MutexTryLock | MutexTimedLock | C11MutexLock | C11MutexTryLock
            | C11MutexTimedLock => self.in_one_act(call, lock, Self::mutex_lock),
            MutexUnlock | C11MutexUnlock => self.in_one_act(call, lock, Self::mutex_unlock),
        }
    }

    pub(super) fn spin_routine(&mut self, call: &Call, routine: SpinLocks) -> Run<Flow> {
        use SpinLocks::*;
        let lock = call.word(0)?;
        match routine {
            SpinInit => self.initialise_object(call, SyncObject::SpinLock, lock),
            SpinDestroy => self.destroy_object(call, SyncObject::SpinLock, lock),
            SpinLock | SpinTryLock => {
                if self.field(call, lock, 4)? != 0 {
                    return Ok(Flow::Returns(EBUSY));
                }
                self.set_field(lock, 4, owner_number(call.id))?;
                self.races_acquire(call.id, lock);
                self.note_lock(call, "locks", lock);
                Ok(Flow::Returns(0))
            }
            SpinUnlock => {
                // Nobody else changes the owner of a lock that the thread holds, so that it is no
                // read that others could notice.
                let dry_run = std::mem::replace(&mut self.dry_run, true);
                let owner = self.field(call, lock, 4);
                self.dry_run = dry_run;
                if owner.as_ref().ok() != Some(&owner_number(call.id)) {
                    self.field(call, lock, 4)?;
                    return Err(call.misuse(self.not_held(lock)));
                }
                self.races_release(call.id, lock);
                self.store_field(call, lock, 0)?;
                self.note_lock(call, "unlocks", lock);
                Ok(Flow::Returns(0))
            }
        }
    }

    /// Uses a mutex, whose owner alone stands for all its fields in traces.
    fn in_one_act(
        &mut self,
        call: &Call,
        lock: Word,
        routine: impl FnOnce(&mut Self, &Call, Word) -> Run<Flow>,
    ) -> Run<Flow> {
        self.mutex_owner(call, lock)?;
        self.dry_run = true;
        let flow = routine(self, call, lock);
        self.dry_run = false;
        if let Ok(Flow::Returns(0)) = flow {
            let at = self.reach(call.id, lock + OWNER, 4, true)?;
            self.act_write(call.id, at, 4, MemoryOrder::Plain);
        }
        flow
    }

    pub(super) fn initialise(&mut self, call: &Call, address: Word, bytes: &[u8]) -> Run<Flow> {
        self.write_defined(call.id, call.span, address, bytes)?;
        Ok(Flow::Returns(0))
    }

    fn note_lock(&mut self, call: &Call, verb: &str, lock: Word) {
        self.note(call.id, call.span, |process| {
            Event::Call(format!("{verb} {}", process.object_place(lock)))
        });
    }

    /// The name of the object of the library at an address: a mutex, not its first field.
    pub(super) fn object_place(&self, word: Word) -> String {
        let name = self.name_of(word);
        // Layouts know the C library's own fields, which are nobody's business.
        match name.find(".__") {
            Some(end) => name[..end].to_owned(),
            None => name,
        }
    }

    fn not_held(&self, lock: Word) -> String {
        format!("{} is not held by the caller", self.object_place(lock))
    }

    pub(super) fn mutex_owner(&mut self, call: &Call, lock: Word) -> Run<Word> {
        self.field(call, lock + OWNER, 4)
    }

    fn mutex_lock(&mut self, call: &Call, lock: Word) -> Run<Flow> {
        use Routine::*;
        let owner = self.mutex_owner(call, lock)?;
        let kind = self.field(call, lock + KIND, 4)?;
        let me = owner_number(call.id);
        if owner == me && kind == RECURSIVE {
            let count = self.field(call, lock + COUNT, 4)? + 1;
            self.set_field(lock + COUNT, 4, count)?;
            self.note_lock(call, "locks again", lock);
            return Ok(Flow::Returns(0));
        }
        if owner == me && kind == ERROR_CHECKING && !matches!(call.routine, MutexTryLock) {
            return Ok(Flow::Returns(EDEADLK));
        }
        if owner != 0 || call.choice == 1 {
            self.note_lock(call, "fails to lock", lock);
            return Ok(Flow::Returns(match call.routine {
                MutexTryLock => EBUSY,
                C11MutexTryLock => THRD_BUSY,
                C11MutexTimedLock => THRD_TIMEDOUT,
                C11MutexLock => THRD_ERROR,
                _ => ETIMEDOUT,
            }));
        }
        self.take_mutex(call, lock)?;
        Ok(Flow::Returns(0))
    }

    /// Takes a mutex that is free.
    pub(super) fn take_mutex(&mut self, call: &Call, lock: Word) -> Run<()> {
        self.set_field(lock, 4, 1)?;
        self.set_field(lock + COUNT, 4, 1)?;
        self.set_field(lock + OWNER, 4, owner_number(call.id))?;
        self.races_acquire(call.id, lock);
        self.note_lock(call, "locks", lock);
        Ok(())
    }

    fn mutex_unlock(&mut self, call: &Call, lock: Word) -> Run<Flow> {
        let owner = self.mutex_owner(call, lock)?;
        let kind = self.field(call, lock + KIND, 4)?;
        if owner != owner_number(call.id) {
            return match kind {
                RECURSIVE | ERROR_CHECKING => Ok(Flow::Returns(EPERM)),
                _ => Err(call.misuse(self.not_held(lock))),
            };
        }
        let count = self.field(call, lock + COUNT, 4)?;
        if count > 1 {
            self.set_field(lock + COUNT, 4, count - 1)?;
            return Ok(Flow::Returns(0));
        }
        self.release_mutex(call, lock)?;
        Ok(Flow::Returns(0))
    }

    /// Gives a mutex back.
    pub(super) fn release_mutex(&mut self, call: &Call, lock: Word) -> Run<()> {
        for field in [0, COUNT, OWNER] {
            self.set_field(lock + field, 4, 0)?;
        }
        self.races_release(call.id, lock);
        self.note_lock(call, "unlocks", lock);
        Ok(())
    }

    pub(super) fn read_write_routine(&mut self, call: &Call, routine: ReadWriteLocks) -> Run<Flow> {
        use ReadWriteLocks::*;
        let lock = call.word(0)?;
        match routine {
            RwInit => self.initialise_object(call, SyncObject::ReadWriteLock, lock),
            RwDestroy => self.destroy_object(call, SyncObject::ReadWriteLock, lock),
            RwReadLock | RwTryReadLock | RwTimedReadLock => self.lock_for_reading(call, lock),
            RwWriteLock | RwTryWriteLock | RwTimedWriteLock => self.lock_for_writing(call, lock),
            RwUnlock => self.unlock_read_write(call, lock),
        }
    }

    /// What a call of a read-write lock fails with.
    fn failure(routine: Routine) -> Flow {
        let timed = matches!(
            routine,
            Routine::RwTimedReadLock | Routine::RwTimedWriteLock
        );
        Flow::Returns(if timed { ETIMEDOUT } else { EBUSY })
    }

    fn lock_for_reading(&mut self, call: &Call, lock: Word) -> Run<Flow> {
        let (readers, writer) = self.readers_and_writer(call, lock)?;
        if writer == owner_number(call.id) && call.routine != Routine::RwTryReadLock {
            return Ok(Flow::Returns(EDEADLK));
        }
        if writer != 0 || call.choice == 1 {
            return Ok(Self::failure(call.routine));
        }
        self.set_field(lock + READERS, 4, readers + 1)?;
        let thread = &mut self.threads[call.id.index()];
        thread.set_reads(lock, thread.reads(lock) + 1);
        self.races_acquire(call.id, lock);
        self.note_lock(call, "locks for reading", lock);
        Ok(Flow::Returns(0))
    }

    fn lock_for_writing(&mut self, call: &Call, lock: Word) -> Run<Flow> {
        let (readers, writer) = self.readers_and_writer(call, lock)?;
        let me = owner_number(call.id);
        if writer == me && call.routine != Routine::RwTryWriteLock {
            return Ok(Flow::Returns(EDEADLK));
        }
        if writer != 0 || readers != 0 || call.choice == 1 {
            return Ok(Self::failure(call.routine));
        }
        self.set_field(lock + WRITER, 4, me)?;
        self.races_acquire(call.id, lock);
        self.note_lock(call, "locks for writing", lock);
        Ok(Flow::Returns(0))
    }

    fn unlock_read_write(&mut self, call: &Call, lock: Word) -> Run<Flow> {
        let (readers, writer) = self.readers_and_writer(call, lock)?;
        let reads = self.threads[call.id.index()].reads(lock);
        if writer == owner_number(call.id) {
            self.set_field(lock + WRITER, 4, 0)?;
        } else if reads > 0 {
            self.set_field(lock + READERS, 4, readers - 1)?;
            self.threads[call.id.index()].set_reads(lock, reads - 1);
        } else {
            return Err(call.misuse(self.not_held(lock)));
        }
        self.races_release(call.id, lock);
        self.note_lock(call, "unlocks", lock);
        Ok(Flow::Returns(0))
    }

    fn readers_and_writer(&mut self, call: &Call, lock: Word) -> Run<(Word, Word)> {
        let readers = self.field(call, lock + READERS, 4)?;
        Ok((readers, self.field(call, lock + WRITER, 4)?))
    }

    /// True if a call has to do with its own thread only: it locks a mutex again that it holds, gives
    /// one back that it holds more often, or fails because of what it holds itself. No
    /// implementation makes an atomic access for that.
    pub(super) fn asks_only_itself(&mut self, id: ThreadId, routine: Routine, lock: Word) -> bool {
        use Mutexes::*;
        use ReadWriteLocks::*;
        let me = owner_number(id);
        let dry_run = std::mem::replace(&mut self.dry_run, true);
        let mut get = |field: u64| self.field_seen(id, lock, field);
        let only = match routine.in_family() {
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
        };
        self.dry_run = dry_run;
        only
    }

    /// True if a call that looks first finds what it looks for.
    pub(super) fn finds(&mut self, call: &Call, sought: Sought) -> bool {
        let Ok(object) = call.word(0) else {
            return false;
        };
        match sought {
            Sought::FreeMutex => self.mutex_owner(call, object).is_ok_and(|o| o == 0),
            Sought::NoWriter => self.field(call, object + WRITER, 4).is_ok_and(|w| w == 0),
            Sought::FreeReadWriteLock => {
                let readers = self.field(call, object + READERS, 4);
                let writer = self.field(call, object + WRITER, 4);
                matches!((readers, writer), (Ok(0), Ok(0)))
            }
            Sought::Semaphore => self.field(call, object, 4).is_ok_and(|value| value > 0),
            Sought::EndedThread => self.may_be_joined(call, object),
            Sought::Waiter => self.has_waiters(call, object),
        }
    }

    /// A field of a lock as the thread sees it, if it is there and defined.
    fn field_seen(&mut self, id: ThreadId, lock: Word, field: u64) -> Option<Word> {
        let value = self.read_word(id, lock.wrapping_add(field), 4).ok();
        value.filter(|value| value.is_defined()).map(|v| v.word)
    }

    /// True if a mutex may be taken now, or taking it fails at once. What is wrong with it is found when the call goes on.
    pub(super) fn can_take_mutex(&mut self, id: ThreadId, mutex: Word) -> bool {
        let owner = self.field_seen(id, mutex, OWNER);
        let kind = self.field_seen(id, mutex, KIND);
        let (Some(owner), Some(kind)) = (owner, kind) else {
            return true;
        };
        owner == 0 || owner == owner_number(id) && matches!(kind, RECURSIVE | ERROR_CHECKING)
    }

    /// The same for a spin lock.
    pub(super) fn can_take_spin(&mut self, id: ThreadId, lock: Word) -> bool {
        self.field_seen(id, lock, 0).is_none_or(|owner| owner == 0)
    }

    /// The same for a read-write lock, for reading.
    pub(super) fn can_read(&mut self, id: ThreadId, lock: Word) -> bool {
        let writer = self.field_seen(id, lock, WRITER);
        writer.is_none_or(|writer| writer == 0 || writer == owner_number(id))
    }

    /// The same for a read-write lock, for writing.
    pub(super) fn can_write(&mut self, id: ThreadId, lock: Word) -> bool {
        let readers = self.field_seen(id, lock, READERS);
        let writer = self.field_seen(id, lock, WRITER);
        let free = readers == Some(0) && writer == Some(0);
        free || readers.is_none() || writer == Some(owner_number(id))
    }

    /// Why a thread waits for a lock whose owner is in this field.
    pub(super) fn lock_reason(&mut self, id: ThreadId, lock: Word, owner: u64) -> String {
        let name = self.object_place(lock);
        match self.read_word(id, lock + owner, 4).map_or(0, |v| v.word) {
            0 => format!("waits for {name}, held by readers"),
            owner if owner == owner_number(id) => {
                format!("waits for {name}, which it holds itself")
            }
            owner => {
                let holder = self.thread_name(ThreadId(owner as u32 - 1));
                format!("waits for {name}, held by {holder}")
            }
        }
    }
}
