//! Running a thread ahead, up to what others can notice.

use super::acts::PseudoLocation;
use super::fast::{FastMode, Pause, enter, fast, get};
use super::image::{Op, Pc, Range, Slot};
use super::memory::Memory;
use super::thread::Standing;
use super::value::{Value, Values};
use super::{End, Process, Run};
use answer::{Bound, Event, Fault, FaultKind};
use program::{FunctionId, ObjectKind, Span, ThreadId};

/// Work between two looks at the clock, about in operations: some milliseconds.
const BETWEEN_LOOKS: u64 = 1 << 20;
/// What an operation that is not for the fast part counts for.
const SLOW_OPERATION: u64 = 256;

/// A choice among more than this is taken for a mistake.
const MOST_CHOICES: u64 = 1 << 16;

impl Process<'_> {
    /// Runs a thread up to its next stop, or its end.
    pub(super) fn advance(&mut self, id: ThreadId) {
        self.new_threads.push(id);
        while let Some(id) = self.new_threads.pop() {
            while self.end.is_none() && !self.has_ended(id) {
                self.ender = id;
                match self.advance_some(id) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(fault) => {
                        let span = self.span_of(id);
                        self.fail(id, span, fault);
                    }
                }
            }
        }
    }

    /// The limit that is reached after so much more work, if somebody looks and finds one.
    #[inline]
    pub(super) fn stopped_after(&mut self, work: u64) -> Option<Bound> {
        self.unlooked += work;
        if self.unlooked < BETWEEN_LOOKS {
            return None;
        }
        self.unlooked = 0;
        self.limits.stop.as_ref()?.look()
    }

    /// Lets the thread go on that ran too long on its own; false if there is none.
    pub fn resume(&mut self) -> bool {
        let Some(id) = self.over_budget.take() else {
            return false;
        };
        self.end = None;
        self.threads[id.index()].steps = 0;
        self.advance(id);
        true
    }

    /// Runs the fast part and one slow operation; false if the thread stops.
    fn advance_some(&mut self, id: ThreadId) -> Run<bool> {
        if self.threads[id.index()].result.is_some() && self.threads[id.index()].frames.len() == 1 {
            return self.end_thread(id, false);
        }
        let direct = self.is_direct(id)
            && self.log.is_none()
            && self.races.is_none()
            && self.limits.unread.is_empty()
            && !(self.limits.traced && self.section_owner.is_some());
        let depth = self.memory.depth(id);
        let thread = &mut self.threads[id.index()];
        let steps = thread.steps;
        let mode = FastMode {
            direct: direct && !thread.is_recording(),
            skip_loops: self.limits.unroll.is_none(),
            depth,
        };
        let reads = self.finishing.as_mut();
        let pause = fast(self.image, thread, &mut self.memory, reads, mode);
        if let Pause::Fault(fault) = pause {
            return Err(fault);
        }
        let thread = &mut self.threads[id.index()];
        let ran = thread.steps - steps;
        self.operations += ran;
        if let Some(bound) = self.stopped_after(ran + SLOW_OPERATION) {
            self.end = Some(End::Cut(bound));
            return Ok(false);
        }
        let thread = &mut self.threads[id.index()];
        if thread.steps > self.limits.steps && thread.steps > steps {
            let at = self.span_of(id);
            // Who is left when main has ended would be stopped.
            self.end = Some(match self.main_has_ended() {
                true => End::Exit(0),
                false => End::Cut(Bound::Steps(self.limits.steps, at)),
            });
            self.over_budget = Some(id).filter(|_| !self.main_has_ended());
            return Ok(false);
        }
        let Some(frame) = thread.frames.last() else {
            return Ok(false);
        };
        let pc = frame.pc;
        self.slow(id, pc)
    }

    /// The value of a slot in the thread's innermost frame.
    pub(super) fn value(&self, id: ThreadId, slot: Slot) -> Value {
        let thread = &self.threads[id.index()];
        let base = thread.frame().map_or(0, |frame| frame.base as usize);
        get(self.image, &thread.registers[base..], slot)
    }

    /// Sets a register of the thread's innermost frame.
    pub(super) fn set(&mut self, id: ThreadId, register: u32, value: Value) {
        let thread = &mut self.threads[id.index()];
        let base = thread.frames.last().map_or(0, |frame| frame.base);
        thread.registers[(base + register) as usize] = value;
    }

    /// Goes on behind the current operation.
    pub(super) fn next(&mut self, id: ThreadId) {
        if let Some(frame) = self.threads[id.index()].frames.last_mut() {
            frame.pc += 1;
        }
    }

    /// Does one operation, unless it is one to stop before.
    fn slow(&mut self, id: ThreadId, pc: Pc) -> Run<bool> {
        match self.image.ops[pc as usize] {
            Op::Load(..) | Op::Store(..) | Op::Update(..) | Op::Exchange(_) => {
                return self.access_ahead(id, pc);
            }
            Op::Fence(orderings, explicit) => {
                if explicit {
                    self.races_fence(id, orderings);
                    self.note(id, self.image.span(pc), |_| Event::Fence(orderings));
                }
                self.fence(id, orderings);
            }
            Op::CallPointer(pointer, arguments, targets) => {
                let (function, arguments) = self.pointed_call(id, pointer, arguments)?;
                return self.enter(id, function, &arguments, targets).map(|()| true);
            }
            Op::Routine(routine, ..) => return self.routine_ahead(id, pc, routine),
            Op::Own(target, rank, offset) => {
                let address = Memory::own(id, rank) + u64::from(offset);
                self.set(id, target, Value::new(address));
            }
            Op::Allocate(target, size, local) => {
                self.allocate_local(id, pc, target, size, local)?
            }
            Op::Assert(condition) => {
                if self.decide(id, condition, "an assertion")? == 0 {
                    return fault(FaultKind::Assertion, "the assertion fails");
                }
            }
            Op::Assume(condition) => {
                if self.decide(id, condition, "an assumption")? == 0 {
                    self.threads[id.index()].standing = Standing::Discarded;
                    return Ok(false);
                }
            }
            Op::Choose(target, count) => match self.decide(id, count, "the number of choices")? {
                1 => self.set(id, target, Value::new(0)),
                2..=MOST_CHOICES => return Ok(false),
                count => {
                    let message = format!("a choice among {}", count as i32);
                    return fault(FaultKind::Misuse, message);
                }
            },
            // Another thread may observe something under the same name.
            Op::Observe(..) | Op::AtomicBegin if !self.is_direct(id) => return Ok(false),
            Op::Observe(number, slot) => return self.observe(id, number, slot).map(|()| true),
            Op::AtomicBegin => self.enter_section(id),
            Op::AtomicEnd => {
                if self.section_owner == Some(id) {
                    self.leave_section();
                }
            }
            Op::Return(values) => return self.leave(id, pc, values),
            Op::Unreachable => {
                let message = "control reaches what the compiler took to be unreachable";
                return fault(FaultKind::Unreachable, message);
            }
            Op::EnterLoop(number) => self.enter_loop(id, number),
            Op::RepeatLoop(number) => {
                let goes_on = self.repeat_loop(id, number)?;
                self.next(id);
                return Ok(goes_on);
            }
            Op::Call(function, arguments, targets) => {
                let arguments = self.arguments(id, arguments);
                return self.enter(id, function, &arguments, targets).map(|()| true);
            }
            // The rest is for the fast part, which gives up only where something is wrong.
            _ => {
                let message = "an instruction that the machine cannot run";
                return fault(FaultKind::Unreachable, message);
            }
        }
        self.next(id);
        Ok(true)
    }

    /// Observes a value, and goes on.
    pub(super) fn observe(&mut self, id: ThreadId, number: u32, slot: Slot) -> Run<()> {
        let value = Value::new(self.decide(id, slot, "what is observed")?);
        self.note_observation(number);
        self.act_on(id, PseudoLocation::Observation(number), true);
        self.observed[number as usize] = Some(value);
        let span = self.span_of(id);
        self.note(id, span, |process| Event::Observe {
            name: process.image.program.observed[number as usize].name.clone(),
            value: value.word,
        });
        self.next(id);
        Ok(())
    }

    /// The values of a row of slots.
    pub(super) fn arguments(&self, id: ThreadId, arguments: Range) -> Values {
        let thread = &self.threads[id.index()];
        let base = thread.frame().map_or(0, |frame| frame.base as usize);
        let registers = &thread.registers[base..];
        let slots = self.image.slots[arguments.indices()].iter();
        slots
            .map(|slot| get(self.image, registers, *slot))
            .collect()
    }

    /// One of the values of a row of slots.
    pub(super) fn argument(&self, id: ThreadId, arguments: Range, index: usize) -> Value {
        let slots = &self.image.slots[arguments.indices()];
        slots
            .get(index)
            .map_or(Value::new(0), |slot| self.value(id, *slot))
    }

    /// A value that a decision depends on, which must be defined.
    pub(super) fn decide(&self, id: ThreadId, slot: Slot, what: &str) -> Run<u64> {
        let value = self.value(id, slot);
        match value.is_defined() {
            true => Ok(value.word),
            false => Err(Box::new(Fault::new(
                FaultKind::Uninitialised,
                format!("{what} depends on an uninitialised value"),
            ))),
        }
    }

    fn pointed_call(
        &self,
        id: ThreadId,
        pointer: Slot,
        arguments: Range,
    ) -> Run<(FunctionId, Values)> {
        let word = self.decide(id, pointer, "the function called")?;
        let function = self.function_at(word)?;
        let arguments = self.arguments(id, arguments);
        self.check_arity(function, arguments.len())?;
        Ok((function, arguments))
    }

    /// The function whose address is `word`.
    pub(super) fn function_at(&self, word: u64) -> Run<FunctionId> {
        let at = self.memory.locate(word).filter(|at| at.offset == 0);
        let block = at.and_then(|at| self.memory.block(at.block));
        match block.map(|block| block.kind) {
            Some(ObjectKind::Code(function)) => Ok(function),
            _ => {
                let message = match word {
                    0 => "a call through a null pointer".to_owned(),
                    _ => format!("a call of {}, which is no function", self.name_of(word)),
                };
                Err(Box::new(Fault::new(FaultKind::Call, message)))
            }
        }
    }

    /// A function must be called with as many arguments as it has parameters.
    pub(super) fn check_arity(&self, function: FunctionId, arguments: usize) -> Run<()> {
        let entry = &self.image.functions[function.index()];
        if entry.parameters as usize == arguments {
            return Ok(());
        }
        let (name, wanted) = (&entry.name, entry.parameters);
        let message = format!("a call of {name} with {arguments} arguments instead of {wanted}");
        Err(Box::new(Fault::new(FaultKind::Call, message)))
    }

    /// A function that the library calls gets one argument. It may have been defined without
    /// parameters, as `void *f()` is.
    pub(super) fn check_callback(&self, function: FunctionId) -> Run<()> {
        match self.image.functions[function.index()].parameters {
            0 => Ok(()),
            _ => self.check_arity(function, 1),
        }
    }

    /// The arguments that such a function takes.
    pub(super) fn accepted<'v>(&self, function: FunctionId, arguments: &'v [Value]) -> &'v [Value] {
        let parameters = self.image.functions[function.index()].parameters as usize;
        &arguments[..parameters.min(arguments.len())]
    }

    /// Calls a function.
    pub(super) fn enter(
        &mut self,
        id: ThreadId,
        function: FunctionId,
        arguments: &[Value],
        targets: Range,
    ) -> Run<()> {
        self.next(id);
        let locals = self.memory.depth(id);
        enter(
            self.image,
            &mut self.threads[id.index()],
            function,
            arguments,
            targets,
            locals,
        )
    }

    /// Returns from a function; false if the thread ends with that.
    fn leave(&mut self, id: ThreadId, pc: Pc, values: Range) -> Run<bool> {
        let results = self.arguments(id, values);
        let thread = &mut self.threads[id.index()];
        let Some(frame) = thread.frames.last().cloned() else {
            return Ok(false);
        };
        if thread.frames.len() == 1 {
            thread.result = Some(results.first().copied().unwrap_or_default());
            return Ok(true);
        }
        let span = self.image.span(pc);
        self.end_locals(id, frame.locals, span);
        let thread = &mut self.threads[id.index()];
        thread.frames.pop();
        thread.registers.truncate(frame.base as usize);
        let depth = thread.frames.len() as u32;
        while thread
            .iterations
            .last()
            .is_some_and(|iteration| iteration.depth > depth)
        {
            thread.iterations.pop();
        }
        let base = thread.frames.last().map_or(0, |frame| frame.base);
        let targets = &self.image.targets[frame.targets.indices()];
        for (target, result) in targets.iter().zip(results.iter()) {
            thread.registers[(base + target) as usize] = *result;
        }
        Ok(true)
    }

    /// Ends locals down to a depth.
    pub(super) fn end_locals(&mut self, id: ThreadId, depth: u32, at: Span) {
        let mut ended = Vec::new();
        let tell = |block, size, private| ended.push((block, size, private));
        self.memory.pop_locals(id, depth, at, tell);
        for (block, size, private) in ended {
            self.lapse(id, block);
            if private {
                continue;
            }
            self.act_on_object(id, block, size);
            if let Err(fault) = self.races_end(id, block, at) {
                self.fail(id, at, fault);
            }
        }
    }

    fn allocate_local(
        &mut self,
        id: ThreadId,
        pc: Pc,
        target: u32,
        size: Slot,
        local: u32,
    ) -> Run<()> {
        let size = self.decide(id, size, "the size of a local")?;
        let span = self.image.span(pc);
        let layout = self.image.locals[local as usize].layout;
        let fits = size < MOST_STACK;
        let address = fits.then(|| self.memory.push_local(id, size, local, span, layout));
        let Some(address) = address.flatten() else {
            let message = format!("no room on the stack for {size} bytes");
            return Err(Box::new(Fault::new(FaultKind::StackOverflow, message)));
        };
        self.set(id, target, Value::new(address));
        self.make_private(id, address);
        Ok(())
    }
}

/// Bytes that a local has less than.
const MOST_STACK: u64 = 1 << 30;

fn fault<T>(kind: FaultKind, message: impl Into<String>) -> Run<T> {
    Err(Box::new(Fault::new(kind, message)))
}
