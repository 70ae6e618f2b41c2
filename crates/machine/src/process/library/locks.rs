//! Mutexes, spin locks and read-write locks.
//!
//! A lock's state lies in its own bytes, where the C library would keep it, so that locks
//! initialised statically, or copied from an initialised one, work: all zeros is a
//! free normal lock.

use super::codes::{
    EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT, THRD_BUSY, THRD_ERROR, THRD_TIMEDOUT,
};
use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::value::Value;
use program::{Event, MemoryOrder, Routine, ThreadId, Word};

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
    pub(super) fn lock_routine(&mut self, call: &Call) -> Run<Flow> {
        use Routine::*;
        let lock = call.word(0)?;
        match call.routine {
            MutexInit | C11MutexInit | SpinInit | RwInit => self.initialise_object(call, lock),
            MutexDestroy | C11MutexDestroy | SpinDestroy | RwDestroy => {
                self.destroy_object(call, lock)
            }
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
                let looking = std::mem::replace(&mut self.looking, true);
                let owner = self.field(call, lock, 4);
                self.looking = looking;
                if owner.as_ref().ok() != Some(&owner_number(call.id)) {
                    self.field(call, lock, 4)?;
                    return Err(call.misuse(self.not_held(lock)));
                }
                self.races_release(call.id, lock);
                self.store_field(call, lock, 0)?;
                self.note_lock(call, "unlocks", lock);
                Ok(Flow::Returns(0))
            }
            _ => self.rw_routine(call, lock),
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
        self.looking = true;
        let flow = routine(self, call, lock);
        self.looking = false;
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

    fn rw_routine(&mut self, call: &Call, lock: Word) -> Run<Flow> {
        use Routine::*;
        let readers = self.field(call, lock + READERS, 4)?;
        let writer = self.field(call, lock + WRITER, 4)?;
        let me = owner_number(call.id);
        let reads = self.threads[call.id.index()].reads(lock);
        let failure = match call.routine {
            RwTimedReadLock | RwTimedWriteLock => ETIMEDOUT,
            _ => EBUSY,
        };
        match call.routine {
            RwReadLock | RwTryReadLock | RwTimedReadLock => {
                if writer == me && call.routine != RwTryReadLock {
                    return Ok(Flow::Returns(EDEADLK));
                }
                if writer != 0 || call.choice == 1 {
                    return Ok(Flow::Returns(failure));
                }
                self.set_field(lock + READERS, 4, readers + 1)?;
                self.threads[call.id.index()].set_reads(lock, reads + 1);
                self.races_acquire(call.id, lock);
                self.note_lock(call, "locks for reading", lock);
            }
            RwWriteLock | RwTryWriteLock | RwTimedWriteLock => {
                if writer == me && call.routine != RwTryWriteLock {
                    return Ok(Flow::Returns(EDEADLK));
                }
                if writer != 0 || readers != 0 || call.choice == 1 {
                    return Ok(Flow::Returns(failure));
                }
                self.set_field(lock + WRITER, 4, me)?;
                self.races_acquire(call.id, lock);
                self.note_lock(call, "locks for writing", lock);
            }
            RwUnlock if writer == me => {
                self.set_field(lock + WRITER, 4, 0)?;
                self.races_release(call.id, lock);
                self.note_lock(call, "unlocks", lock);
            }
            RwUnlock if reads > 0 => {
                self.set_field(lock + READERS, 4, readers - 1)?;
                self.races_release(call.id, lock);
                self.threads[call.id.index()].set_reads(lock, reads - 1);
                self.note_lock(call, "unlocks", lock);
            }
            _ => return Err(call.misuse(self.not_held(lock))),
        }
        Ok(Flow::Returns(0))
    }

    /// True if a call has to do with its own thread only: it locks a mutex again that it holds, gives
    /// one back that it holds more often, or fails because of what it holds itself. No
    /// implementation makes an atomic access for that.
    pub(super) fn asks_only_itself(&mut self, id: ThreadId, routine: Routine, lock: Word) -> bool {
        use Routine::*;
        let me = owner_number(id);
        let looking = std::mem::replace(&mut self.looking, true);
        let mut get = |offset: u64| {
            let value = self.read_word(id, lock.wrapping_add(offset), 4).ok();
            value.filter(|value| value.is_defined()).map(|v| v.word)
        };
        let only = match routine {
            MutexLock | MutexTimedLock | C11MutexLock | C11MutexTimedLock => {
                let kind = get(KIND);
                get(OWNER) == Some(me) && matches!(kind, Some(RECURSIVE | ERROR_CHECKING))
            }
            MutexTryLock | C11MutexTryLock => {
                get(OWNER) == Some(me) && get(KIND) == Some(RECURSIVE)
            }
            MutexUnlock | C11MutexUnlock => match get(OWNER) == Some(me) {
                true => get(COUNT).is_some_and(|count| count > 1),
                false => matches!(get(KIND), Some(RECURSIVE | ERROR_CHECKING)),
            },
            RwReadLock | RwTimedReadLock | RwWriteLock | RwTimedWriteLock => {
                get(WRITER) == Some(me)
            }
            _ => false,
        };
        self.looking = looking;
        only
    }

    /// True if a call that looks first finds something to do: a lock that is free, a semaphore
    /// above 0, a thread that waits.
    pub(super) fn finds_something(&mut self, call: &Call) -> bool {
        use Routine::*;
        let Ok(object) = call.word(0) else {
            return false;
        };
        match call.routine {
            MutexTryLock | C11MutexTryLock => self.mutex_owner(call, object).is_ok_and(|o| o == 0),
            RwTryReadLock => self.field(call, object + WRITER, 4).is_ok_and(|w| w == 0),
            RwTryWriteLock => {
                let readers = self.field(call, object + READERS, 4);
                let writer = self.field(call, object + WRITER, 4);
                matches!((readers, writer), (Ok(0), Ok(0)))
            }
            SemaphoreTryWait => self.field(call, object, 4).is_ok_and(|value| value > 0),
            ThreadTryJoin => self.may_be_joined(call, object),
            _ => self.has_waiters(call, object),
        }
    }

    /// In how many ways a lock may be taken now.
    pub(super) fn lock_choices(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: &[Value],
    ) -> u32 {
        use Routine::*;
        let lock = arguments.first().copied().unwrap_or_default();
        let me = owner_number(id);
        let mut get = |offset: u64, size: u32| {
            let value = self.read_word(id, lock.word.wrapping_add(offset), size);
            value
                .ok()
                .filter(|value| value.is_defined())
                .map(|value| value.word)
        };
        // What is wrong with the lock is found when the call goes on.
        let free = match routine {
            SpinLock => get(0, 4).is_none_or(|owner| owner == 0),
            RwReadLock | RwTimedReadLock => get(WRITER, 4).is_none_or(|w| w == 0 || w == me),
            RwWriteLock | RwTimedWriteLock => {
                let (readers, writer) = (get(READERS, 4), get(WRITER, 4));
                readers == Some(0) && writer == Some(0) || readers.is_none() || writer == Some(me)
            }
            _ => match (get(OWNER, 4), get(KIND, 4)) {
                (Some(owner), Some(kind)) => {
                    owner == 0 || owner == me && (kind == RECURSIVE || kind == ERROR_CHECKING)
                }
                _ => true,
            },
        };
        let timed = matches!(
            routine,
            MutexTimedLock | C11MutexTimedLock | RwTimedReadLock | RwTimedWriteLock
        );
        // A timed call that has to wait fails.
        u32::from(free || timed)
    }

    pub(super) fn lock_reason(&mut self, id: ThreadId, routine: Routine, lock: Word) -> String {
        use Routine::*;
        let name = self.object_place(lock);
        let offset = match routine {
            SpinLock => 0,
            RwReadLock | RwTimedReadLock | RwWriteLock | RwTimedWriteLock => WRITER,
            _ => OWNER,
        };
        let owner = self
            .read_word(id, lock + offset, 4)
            .map_or(0, |value| value.word);
        match owner {
            0 => format!("waits for {name}, held by readers"),
            _ if owner == owner_number(id) => format!("waits for {name}, which it holds itself"),
            _ => {
                let holder = self.thread_name(ThreadId(owner as u32 - 1));
                format!("waits for {name}, held by {holder}")
            }
        }
    }
}
