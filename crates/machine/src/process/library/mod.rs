//! The C library, one family of functions per file. What each function means to a user
//! stands in the table of [`program::ROUTINES`].

mod chance;
mod codes;
mod heap;
mod keys;
mod lifetimes;
mod locks;
mod memory;
mod order;
mod output;
mod strings;
mod threads;
mod waiting;

use super::Process;
pub(super) use super::Run;
use super::image::{Pc, Range};
use super::memory::Location;
use super::races::Looked;
use super::thread::Phase;
use super::value::Value;
use answer::{Event, Fault, FaultKind};
use chance::arithmetic;
use program::in_family::Ending;
use program::{Blocking, Footprint, InFamily, Routine, Span, ThreadId, Timing, Word};
pub(super) use threads::watches_end;

/// What a call came to.
pub(super) enum Flow {
    /// It returns this.
    Returns(Word),
    /// It returns nothing.
    Done,
    /// It goes on later, or never returns.
    Stays,
}

/// True if a function that is a step of its own waits for the StoreLoad fences before it, as a load does.
pub(super) fn waits_for_fence(routine: Routine) -> bool {
    let loads = match routine.row().footprint {
        Footprint::Stores => false,
        Footprint::Fixed | Footprint::Contents => true,
    };
    match routine.row().timing {
        Timing::Prints | Timing::Step => loads,
        Timing::Ahead | Timing::Choice(_) => false,
    }
}

impl Process<'_> {
    /// Calls a library function if others cannot notice; false if the thread must stop.
    pub(super) fn routine_ahead(&mut self, id: ThreadId, pc: Pc, routine: Routine) -> Run<bool> {
        let super::image::Op::Routine(_, arguments, targets) = self.image.ops[pc as usize] else {
            return Ok(false);
        };
        let timing = routine.row().timing;
        let ahead = match timing {
            Timing::Ahead => true,
            Timing::Prints => self.is_direct(id) || !self.prints_shared(id, routine, arguments),
            Timing::Choice(_) => self.is_direct(id),
            Timing::Step => self.is_direct(id) || self.joins_unnoticed(id, routine, arguments),
        };
        let settled = matches!(timing, Timing::Ahead | Timing::Prints);
        // Nobody else is needed for a spurious wake-up, but it may never come.
        if !ahead
            || self.can_only_wake_spuriously(id)
            || !settled && self.routine_choices(id, routine, arguments) != 1
        {
            return Ok(false);
        }
        self.routine(id, routine, arguments, targets, 0)?;
        Ok(!self.has_ended(id) && self.end.is_none())
    }

    /// True if a call that prints reads what others can reach, or is wrong: then it matters when
    /// it happens. Finds out by a dry run.
    fn prints_shared(&mut self, id: ThreadId, routine: Routine, arguments: Range) -> bool {
        let arguments = self.arguments(id, arguments);
        let call = Call {
            id,
            routine,
            arguments: &arguments,
            choice: 0,
            span: self.span_of(id),
        };
        let (log, output, races) = (self.log.take(), self.output.take(), self.races.take());
        let dry_run = std::mem::replace(&mut self.dry_run, true);
        self.reached_shared = false;
        let flow = self.dispatch(&call);
        self.dry_run = dry_run;
        (self.log, self.output, self.races) = (log, output, races);
        flow.is_err() || self.reached_shared
    }

    /// True for a join without a result: a thread that ended stays so, which makes joining it
    /// nobody else's business.
    fn joins_unnoticed(&self, id: ThreadId, routine: Routine, arguments: Range) -> bool {
        let joins = routine.row().blocking == Blocking::Join;
        joins && !self.limits.traced && self.arguments(id, arguments).get(1) == Some(&Value::new(0))
    }

    /// In how many ways a call may go on; 0 if it has to wait.
    pub(super) fn routine_choices(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> u32 {
        if waits_for_fence(routine) && !self.is_settled(id, routine, arguments) {
            return 0;
        }
        let arguments = self.arguments(id, arguments);
        self.sync_choices(id, routine, &arguments)
    }

    fn sync_choices(&mut self, id: ThreadId, routine: Routine, arguments: &[Value]) -> u32 {
        if let Timing::Choice(ways) = routine.row().timing {
            return ways;
        }
        let word = |index: usize| arguments.get(index).map_or(0, |value| value.word);
        let object = word(0);
        match routine.row().blocking {
            Blocking::Never => 1,
            Blocking::Join => self.join_choices(id, object),
            Blocking::Mutex => self.can_take_mutex(id, object).into(),
            Blocking::Spin => self.can_take_spin(id, object).into(),
            Blocking::ReadLock => self.can_read(id, object).into(),
            Blocking::WriteLock => self.can_write(id, object).into(),
            Blocking::Condition => self.condition_choices(id, false, word(1)),
            Blocking::TimedCondition => self.condition_choices(id, true, word(1)),
            Blocking::Signal => self.signal_choices(id, routine, object),
            Blocking::Barrier => self.can_pass_barrier(id).into(),
            Blocking::Semaphore => self.can_take_semaphore(id, object).into(),
        }
    }

    /// The bytes that decide whether a call can go on, if others can change them back and forth.
    pub(super) fn contended(
        &self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> Option<(Word, u32)> {
        let reacquires = matches!(self.threads[id.index()].phase, Phase::Reacquire(_));
        let (index, offset, size) = match routine.row().blocking {
            Blocking::Mutex => (0, locks::OWNER, 4),
            Blocking::Spin | Blocking::Semaphore => (0, 0, 4),
            Blocking::ReadLock | Blocking::WriteLock => (0, 0, 8),
            Blocking::Condition | Blocking::TimedCondition if reacquires => (1, locks::OWNER, 4),
            // A thread that has ended, or that was woken, stays so.
            Blocking::Join | Blocking::Condition | Blocking::TimedCondition | Blocking::Barrier => {
                return None;
            }
            // These go on in any case.
            Blocking::Never | Blocking::Signal => return None,
        };
        let object = self.argument(id, arguments, index).word;
        Some((object.wrapping_add(offset), size))
    }

    /// What a thread waits for in a call, and for whom.
    pub(super) fn routine_reason(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
    ) -> String {
        let arguments = self.arguments(id, arguments);
        let word = |index: usize| arguments.get(index).map_or(0, |value: &Value| value.word);
        let object = word(0);
        match routine.row().blocking {
            Blocking::Never | Blocking::Signal => String::new(),
            Blocking::Join => self.thread_of(object).map_or(String::new(), |other| {
                format!("waits for {} to end", self.thread_name(other))
            }),
            Blocking::Mutex => self.lock_reason(id, object, locks::OWNER),
            Blocking::Spin => self.lock_reason(id, object, 0),
            Blocking::ReadLock | Blocking::WriteLock => self.lock_reason(id, object, locks::WRITER),
            Blocking::Condition | Blocking::TimedCondition => {
                self.condition_reason(id, object, word(1))
            }
            Blocking::Barrier => format!("waits for others at {}", self.object_place(object)),
            Blocking::Semaphore => format!("waits for {} to be posted", self.object_place(object)),
        }
    }

    /// Calls a library function.
    pub(super) fn routine(
        &mut self,
        id: ThreadId,
        routine: Routine,
        arguments: Range,
        targets: Range,
        choice: u32,
    ) -> Run<()> {
        let span = self.span_of(id);
        let after = self.after_own_stores_of(id, routine, arguments);
        let arguments = self.arguments(id, arguments);
        let call = Call {
            id,
            routine,
            arguments: &arguments,
            choice,
            span,
        };
        if !routine.row().pure {
            self.threads[id.index()].changes += 1;
        }
        self.acting = id;
        if let Some(after) = after {
            self.act_at(id, span, after);
        }
        if self.looks_first(&call) {
            return Ok(());
        }
        let flow = self.dispatch(&call)?;
        let value = match flow {
            Flow::Returns(word) => Value::new(word),
            Flow::Done => Value::new(0),
            Flow::Stays => return Ok(()),
        };
        self.threads[id.index()].phase = Default::default();
        for target in &self.image.targets[targets.indices()] {
            self.set(id, *target, value);
        }
        self.next(id);
        Ok(())
    }

    fn dispatch(&mut self, call: &Call) -> Run<Flow> {
        match call.routine.in_family() {
            InFamily::Threads(routine) => self.thread_routine(call, routine),
            InFamily::Mutexes(routine) => self.mutex_routine(call, routine),
            InFamily::SpinLocks(routine) => self.spin_routine(call, routine),
            InFamily::ReadWriteLocks(routine) => self.read_write_routine(call, routine),
            InFamily::Conditions(routine) => self.condition_routine(call, routine),
            InFamily::Barriers(routine) => self.barrier_routine(call, routine),
            InFamily::Semaphores(routine) => self.semaphore_routine(call, routine),
            InFamily::Keys(routine) => self.key_routine(call, routine),
            InFamily::Heap(routine) => self.heap_routine(call, routine),
            InFamily::Memory(routine) => self.memory_routine(call, routine),
            InFamily::Strings(routine) => self.string_routine(call, routine),
            InFamily::Output(routine) => self.output_routine(call, routine),
            InFamily::Ending(routine) => self.ending_routine(call, routine),
            InFamily::Chance(routine) => self.chance_routine(call, routine),
            InFamily::Arithmetic(routine) => arithmetic(call, routine),
            InFamily::Checking(routine) => self.checking_routine(call, routine),
        }
    }

    fn ending_routine(&mut self, call: &Call, routine: Ending) -> Run<Flow> {
        match routine {
            Ending::Exit => {
                let status = call.word(0)?;
                self.note(call.id, call.span, |_| {
                    Event::Call(format!("exit({})", status as i32))
                });
                self.exit(status);
                Ok(Flow::Stays)
            }
            Ending::AssertFail => {
                let text = self.text(call.id, call.word(0)?)?;
                let message = format!("assertion `{text}` fails");
                Err(Box::new(Fault::new(FaultKind::Assertion, message)))
            }
            Ending::ReachError => Err(Box::new(Fault::new(
                FaultKind::Abort,
                "reach_error is reached",
            ))),
            Ending::Abort => Err(Box::new(Fault::new(FaultKind::Abort, "abort is called"))),
        }
    }
}

/// A call of a library function.
pub(super) struct Call<'a> {
    /// The caller.
    pub id: ThreadId,
    /// The function.
    pub routine: Routine,
    /// Its arguments.
    pub arguments: &'a [Value],
    /// Which of the ways to go on.
    pub choice: u32,
    /// Where the call stands.
    pub span: Span,
}

impl Call<'_> {
    /// An argument, which must be defined.
    pub fn word(&self, index: usize) -> Run<Word> {
        let value = self.value(index);
        match value.is_defined() {
            true => Ok(value.word),
            false => {
                let name = self.routine.name();
                let message = format!("argument {} of {name} is uninitialised", index + 1);
                Err(Box::new(Fault::new(FaultKind::Uninitialised, message)))
            }
        }
    }

    /// An argument.
    pub fn value(&self, index: usize) -> Value {
        self.arguments.get(index).copied().unwrap_or_default()
    }

    /// A fault of ours: the front end replaces calls of the function, so that none is left.
    pub fn not_replaced(&self) -> Box<Fault> {
        self.misuse("the front end has not replaced this call")
    }

    /// A fault: the function is used wrongly.
    pub fn misuse(&self, message: impl std::fmt::Display) -> Box<Fault> {
        let message = format!("{}: {message}", self.routine.name());
        Box::new(Fault::new(FaultKind::Misuse, message))
    }
}

/// Memory as library functions use it.
impl Process<'_> {
    /// Where a use of `size` bytes at an address goes. A use that is wrong is noted as well: the
    /// end of the object comes before it.
    pub(super) fn reach(
        &mut self,
        id: ThreadId,
        address: Word,
        size: u64,
        writes: bool,
    ) -> Run<Location> {
        match self.check(address, size, writes) {
            Ok(at) => {
                self.notice_disguise(id, at.block);
                self.reached_shared |= !self.is_private(id, at.block);
                Ok(at)
            }
            Err(fault) => {
                self.reached_shared = true;
                self.act_on_address(id, address, size.clamp(1, 1 << 20) as u32);
                Err(fault)
            }
        }
    }

    /// Reads up to 8 bytes as the thread sees them.
    pub(super) fn read_word(&mut self, id: ThreadId, address: Word, size: u32) -> Run<Value> {
        let at = self.reach(id, address, size.into(), false)?;
        self.act_read(id, at, size, program::MemoryOrder::Plain);
        Ok(self.peek(id, at, size).0)
    }

    /// Writes up to 8 bytes, through the store buffer if there is one.
    pub(super) fn write_word(
        &mut self,
        id: ThreadId,
        span: Span,
        address: Word,
        size: u32,
        value: Value,
    ) -> Run<()> {
        let at = self.reach(id, address, size.into(), true)?;
        let access = super::image::Access {
            size: size as u8,
            alignment: 0,
            order: program::MemoryOrder::Plain,
        };
        let value = value.truncate(super::access::width(size as u8));
        self.store(id, span, at, access, value)
    }

    /// Reads bytes as the thread sees them, each with its undefined bits.
    pub(super) fn read_bytes(
        &mut self,
        id: ThreadId,
        address: Word,
        size: u64,
    ) -> Run<Vec<(u8, u8)>> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let at = self.reach(id, address, size, false)?;
        self.act_read(id, at, size as u32, program::MemoryOrder::Plain);
        self.look_at_read(id, at, size)?;
        let byte = |index: u64| {
            let offset = at.offset + index;
            let (value, _) = self.peek(id, Location { offset, ..at }, 1);
            (value.word as u8, value.undefined as u8)
        };
        Ok((0..size).map(byte).collect())
    }

    /// Looks for races with a read by a library function.
    fn look_at_read(&mut self, id: ThreadId, at: Location, size: u64) -> Run<()> {
        let looked = Looked {
            at,
            size,
            writes: false,
            order: program::MemoryOrder::Plain,
            span: self.span_of(id),
        };
        self.races_look(id, looked)
    }

    /// Writes bytes, each with its undefined bits, in pieces of up to 8.
    pub(super) fn write_bytes(
        &mut self,
        id: ThreadId,
        span: Span,
        address: Word,
        bytes: &[(u8, u8)],
    ) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.reach(id, address, bytes.len() as u64, true)?;
        let mut done = 0;
        while done < bytes.len() {
            let here = address + done as u64;
            // Pieces do not cross multiples of 8, so that words stay whole.
            let piece = (8 - here % 8).min((bytes.len() - done) as u64) as usize;
            let piece = [8, 4, 2, 1]
                .into_iter()
                .find(|size| *size <= piece && here.is_multiple_of(*size as u64));
            let piece = piece.unwrap_or(1);
            let mut value = Value::default();
            for (index, (byte, undefined)) in bytes[done..done + piece].iter().enumerate() {
                value.word |= u64::from(*byte) << (8 * index);
                value.undefined |= u64::from(*undefined) << (8 * index);
            }
            value.word &= !value.undefined;
            self.write_word(id, span, here, piece as u32, value)?;
            done += piece;
        }
        Ok(())
    }

    /// Writes defined bytes.
    pub(super) fn write_defined(
        &mut self,
        id: ThreadId,
        span: Span,
        address: Word,
        bytes: &[u8],
    ) -> Run<()> {
        let bytes: Vec<(u8, u8)> = bytes.iter().map(|byte| (*byte, 0)).collect();
        self.write_bytes(id, span, address, &bytes)
    }

    /// The string at an address, without its end. At most `most` bytes of it are read.
    pub(super) fn string(&mut self, id: ThreadId, address: Word, most: u64) -> Run<Vec<u8>> {
        let bytes = self.units(id, address, most, 1)?;
        Ok(bytes.into_iter().map(|byte| byte as u8).collect())
    }

    /// The characters of some size from an address on up to a zero, at most this many.
    fn units(&mut self, id: ThreadId, address: Word, most: u64, size: u32) -> Run<Vec<Word>> {
        let mut units = Vec::new();
        while (units.len() as u64) < most {
            let at = address.wrapping_add(units.len() as u64 * u64::from(size));
            let value = self.read_word(id, at, size)?;
            if !value.is_defined() {
                let message = "a string function reads an uninitialised character";
                return Err(Box::new(Fault::new(FaultKind::Uninitialised, message)));
            }
            if self.races.is_some() {
                let at = self.check(at, size.into(), false)?;
                self.look_at_read(id, at, size.into())?;
            }
            if value.word == 0 {
                break;
            }
            units.push(value.word);
        }
        Ok(units)
    }

    /// The string at an address as text, for messages.
    pub(super) fn text(&mut self, id: ThreadId, address: Word) -> Run<String> {
        let bytes = self.string(id, address, 4096)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A field of an object of the library (a mutex, a semaphore), which must be initialised.
    pub(super) fn field(&mut self, call: &Call, address: Word, size: u32) -> Run<Word> {
        let value = self.read_word(call.id, address, size)?;
        match value.is_defined() {
            true => Ok(value.word),
            // One that was destroyed is undefined again.
            false => Err(call.misuse("the object is not initialised")),
        }
    }

    /// Sets a field of an object of the library in one step with reading it: the thread's own
    /// stores to it are in memory.
    pub(super) fn set_field(&mut self, address: Word, size: u32, word: Word) -> Run<()> {
        let at = self.reach(self.acting, address, size.into(), true)?;
        self.act_write(self.acting, at, size, program::MemoryOrder::Plain);
        self.memory.write(at, size, Value::new(word));
        Ok(())
    }
}

/// Objects that the library makes for itself.
impl Process<'_> {
    /// The address of an object that the library made for a thread, made on first use.
    pub(super) fn library_table(
        &mut self,
        id: ThreadId,
        key: u32,
        make: impl FnOnce() -> Vec<u8>,
    ) -> Run<Word> {
        let known = self
            .tables
            .iter()
            .find(|(thread, known, _)| (*thread, *known) == (id, key));
        if let Some((_, _, address)) = known {
            return Ok(*address);
        }
        let bytes = make();
        let made = self
            .memory
            .allocate(id, bytes.len() as u64, true, Span::NOWHERE, None);
        let Some(address) = made else {
            let message = "no room for an object of the library";
            return Err(Box::new(Fault::new(FaultKind::Misuse, message)));
        };
        let at = self.check(address, bytes.len() as u64, true)?;
        for (index, byte) in bytes.iter().enumerate() {
            let offset = at.offset + index as u64;
            self.memory
                .write(Location { offset, ..at }, 1, Value::new((*byte).into()));
        }
        self.note_tables();
        self.tables.push((id, key, address));
        Ok(address)
    }

    /// Where a thread's `errno` lies.
    pub(super) fn errno_address(&mut self, id: ThreadId) -> Run<Word> {
        self.library_table(id, ERRNO, || vec![0; 4])
    }

    /// Sets a thread's `errno`.
    pub(super) fn set_errno(&mut self, id: ThreadId, code: Word) -> Run<()> {
        let address = self.errno_address(id)?;
        let span = self.span_of(id);
        self.write_word(id, span, address, 4, Value::new(code))
    }
}

/// The key of the object that holds `errno`.
const ERRNO: u32 = 0;
