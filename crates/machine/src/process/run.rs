//! Running a thread ahead, up to what others can notice.

use super::image::{Image, Op, Pc, Range, Slot};
use super::memory::Memory;
use super::thread::{Frame, Thread, Turn};
use super::value::{self, Value};
use super::{End, Process};
use program::{
    Bound, Event, Fault, FaultKind, FunctionId, ObjectKind, Orderings, Span, ThreadId, Width,
};

/// Frames from which on calls are nested without end.
const DEEPEST: usize = 100_000;
/// Registers from which on they are.
const MOST_REGISTERS: usize = 20_000_000;
/// Turns of a loop before a thread that nobody can disturb starts to look whether they
/// change anything, now and then.
const TURNS_ON_TRUST: u32 = 64;
/// A choice among more than this is taken for a mistake.
const MOST_CHOICES: u64 = 1 << 16;
/// What a turn may read before it is taken to change something.
const MOST_SEEN: usize = 4096;

type Run<T> = Result<T, Box<Fault>>;

/// Why the fast part of the interpreter gave up.
enum Pause {
    /// The operation at the program counter is not for it.
    Slow,
    /// Something is wrong.
    Fault(Box<Fault>),
}

/// The value of a slot.
#[inline(always)]
fn get(image: &Image, registers: &[Value], slot: Slot) -> Value {
    match slot.place() {
        Ok(register) => registers[register],
        Err(constant) => Value::new(image.constants[constant]),
    }
}

impl Process<'_> {
    /// Runs a thread up to its next stop, or its end.
    pub(super) fn advance(&mut self, id: ThreadId) {
        self.waking.push(id);
        while let Some(id) = self.waking.pop() {
            while self.end.is_none() && !self.has_ended(id) {
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

    /// Lets the thread go on that ran too long on its own; false if there is none.
    pub fn resume(&mut self) -> bool {
        let Some(id) = self.tired.take() else {
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
            return self.end_thread(id);
        }
        let direct = self.is_direct(id) && self.log.is_none() && self.races.is_none();
        let depth = self.memory.depth(id);
        let thread = &mut self.threads[id.index()];
        let steps = thread.steps;
        let pause = fast(
            self.image,
            thread,
            &mut self.memory,
            direct && !thread.is_recording(),
            self.limits.unroll.is_none(),
            depth,
        );
        if let Pause::Fault(fault) = pause {
            return Err(fault);
        }
        let thread = &mut self.threads[id.index()];
        self.operations += thread.steps - steps;
        if thread.steps > self.limits.steps && thread.steps > steps {
            let at = self.span_of(id);
            // Who is left when main has ended would be stopped.
            self.end = Some(match self.main_has_ended() {
                true => End::Exit(0),
                false => End::Cut(Bound::Steps(self.limits.steps, at)),
            });
            self.tired = Some(id).filter(|_| !self.main_has_ended());
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
                    let span = self.image.span(pc);
                    self.note(id, span, |_| Event::Fence(orderings));
                }
                let orderings = self.image.model.effective(orderings);
                let buffer = &mut self.threads[id.index()].buffer;
                if orderings.contains(Orderings::STORE_STORE) {
                    buffer.order_stores();
                }
                if orderings.contains(Orderings::STORE_LOAD) {
                    buffer.hold_loads();
                }
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
                    return Err(Box::new(Fault::new(
                        FaultKind::Assertion,
                        "the assertion fails",
                    )));
                }
            }
            Op::Assume(condition) => {
                if self.decide(id, condition, "an assumption")? == 0 {
                    self.end = Some(End::Discarded);
                    return Ok(false);
                }
            }
            Op::Choose(target, count) => match self.decide(id, count, "the number of choices")? {
                1 => self.set(id, target, Value::new(0)),
                2..=MOST_CHOICES => return Ok(false),
                count => {
                    let message = format!("a choice among {}", count as i32);
                    return Err(Box::new(Fault::new(FaultKind::Misuse, message)));
                }
            },
            Op::Observe(number, slot) => {
                let value = self.value(id, slot);
                self.observed[number as usize] = Some(value);
                let span = self.image.span(pc);
                self.note(id, span, |process| Event::Observe {
                    name: process.image.program.observed[number as usize].name.clone(),
                    value: value.word,
                });
            }
            Op::AtomicBegin => {
                if !self.is_direct(id) {
                    return Ok(false);
                }
                self.alone = Some(id);
            }
            Op::AtomicEnd => {
                if self.alone == Some(id) {
                    self.alone = None;
                    self.next(id);
                    // Others may have been waiting for this moment.
                    return Ok(true);
                }
            }
            Op::Return(values) => return self.leave(id, pc, values),
            Op::Unreachable => {
                let message = "control reaches what the compiler took to be unreachable";
                return Err(Box::new(Fault::new(FaultKind::Unreachable, message)));
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
                return Err(Box::new(Fault::new(FaultKind::Unreachable, message)));
            }
        }
        self.next(id);
        Ok(true)
    }

    /// The values of a row of slots.
    pub(super) fn arguments(&self, id: ThreadId, arguments: Range) -> Vec<Value> {
        let slots = self.image.slots[arguments.indices()].iter();
        slots.map(|slot| self.value(id, *slot)).collect()
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
    ) -> Run<(FunctionId, Vec<Value>)> {
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
        while thread.turns.last().is_some_and(|turn| turn.depth > depth) {
            thread.turns.pop();
        }
        let base = thread.frames.last().map_or(0, |frame| frame.base);
        let targets = &self.image.targets[frame.targets.indices()];
        for (target, result) in targets.iter().zip(results) {
            thread.registers[(base + target) as usize] = result;
        }
        Ok(true)
    }

    /// Ends locals down to a depth; stores to them that still wait are dropped.
    pub(super) fn end_locals(&mut self, id: ThreadId, depth: u32, at: Span) {
        let buffer = &mut self.threads[id.index()].buffer;
        self.memory
            .pop_locals(id, depth, at, |block| buffer.forget(block));
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
        let address = self.memory.push_local(id, size, local, span, layout);
        let Some(address) = address.filter(|_| size < 1 << 30) else {
            let message = format!("no room on the stack for {size} bytes");
            return Err(Box::new(Fault::new(FaultKind::StackOverflow, message)));
        };
        self.set(id, target, Value::new(address));
        self.make_private(id, address);
        Ok(())
    }
}

/// Loops.
impl Process<'_> {
    fn enter_loop(&mut self, id: ThreadId, number: u32) {
        let mark = &self.image.loops[number as usize];
        if !mark.may_wait && self.limits.unroll.is_none() {
            return;
        }
        let recorded = !self.is_direct(id);
        let thread = &mut self.threads[id.index()];
        let depth = thread.frames.len() as u32;
        let known = thread
            .turns
            .iter()
            .position(|turn| (turn.number, turn.depth) == (number, depth));
        if let Some(known) = known {
            thread.turns.truncate(known);
        }
        if thread.turns.is_empty() {
            thread.seen.clear();
        }
        let turn = Turn {
            number,
            depth,
            count: 0,
            recorded,
            changes: thread.changes,
            seen: thread.seen.len() as u32,
            carried: carried(thread, &mark.carried),
        };
        thread.turns.push(turn);
    }

    /// Starts another turn; false if the thread stops here, or the execution is cut off.
    fn repeat_loop(&mut self, id: ThreadId, number: u32) -> Run<bool> {
        let mark = &self.image.loops[number as usize];
        let direct = self.is_direct(id);
        let thread = &mut self.threads[id.index()];
        let depth = thread.frames.len() as u32;
        let known = thread
            .turns
            .iter()
            .rposition(|turn| (turn.number, turn.depth) == (number, depth));
        let Some(known) = known else {
            return Ok(true);
        };
        thread.turns.truncate(known + 1);
        let carried = carried(thread, &mark.carried);
        let turn = &mut thread.turns[known];
        turn.count += 1;
        if let Some(most) = self.limits.unroll
            && turn.count > most
            && !(mark.may_wait
                && turn.recorded
                && turn.changes == thread.changes
                && turn.carried == carried)
        {
            self.end = Some(End::Cut(Bound::Unroll(most, mark.span)));
            return Ok(false);
        }
        let same = turn.recorded && turn.changes == thread.changes && turn.carried == carried;
        let start = turn.seen as usize;
        let waits = same && mark.may_wait;
        // Waiting is no turn that a bound should count.
        turn.count -= u32::from(waits);
        // The thread waits at the next thing that others can notice; if a whole turn had
        // none, it waits here.
        let stops = waits && !thread.awaiting.is_empty();
        if waits {
            thread.awaiting = thread.seen[start..].to_vec();
            if thread.awaiting.is_empty() {
                let message = "a loop that goes round for ever without doing anything";
                return Err(Box::new(Fault::new(FaultKind::Endless, message)));
            }
        }
        turn.carried = carried;
        turn.changes = thread.changes;
        turn.recorded = !direct || turn.count >= TURNS_ON_TRUST && turn.count.is_power_of_two();
        match known {
            0 => thread.seen.truncate(start),
            _ => turn.seen = thread.seen.len() as u32,
        }
        if thread.seen.len() > MOST_SEEN {
            thread.changes += 1;
            for turn in &mut thread.turns {
                turn.seen = 0;
            }
            thread.seen.clear();
        }
        Ok(!stops)
    }
}

fn carried(thread: &Thread, registers: &[u32]) -> Vec<Value> {
    let base = thread.frame().map_or(0, |frame| frame.base);
    let value = |register: &u32| thread.registers[(base + register) as usize];
    registers.iter().map(value).collect()
}

fn enter(
    image: &Image,
    thread: &mut Thread,
    function: FunctionId,
    arguments: &[Value],
    targets: Range,
    locals: u32,
) -> Run<()> {
    let base = thread.registers.len();
    thread.registers.extend_from_slice(arguments);
    enter_with(image, thread, function, base, targets, locals)
}

/// Calls a function whose arguments lie behind the registers, from `base` on.
fn enter_with(
    image: &Image,
    thread: &mut Thread,
    function: FunctionId,
    base: usize,
    targets: Range,
    locals: u32,
) -> Run<()> {
    let entry = &image.functions[function.index()];
    if thread.frames.len() >= DEEPEST || base >= MOST_REGISTERS {
        let message = format!(
            "{} calls nested, which is the limit: {} may never return",
            thread.frames.len(),
            entry.name
        );
        return Err(Box::new(Fault::new(FaultKind::StackOverflow, message)));
    }
    thread
        .registers
        .resize(base + entry.registers as usize, Value::UNDEFINED);
    thread.frames.push(Frame {
        function,
        pc: entry.start,
        base: base as u32,
        locals,
        targets,
    });
    Ok(())
}

/// Runs what needs nothing but registers, and memory if `direct`, as fast as it can.
fn fast(
    image: &Image,
    thread: &mut Thread,
    memory: &mut Memory,
    direct: bool,
    skip_loops: bool,
    depth: u32,
) -> Pause {
    let ops = &image.ops[..];
    let mut steps = 0;
    let result = 'frames: loop {
        let Some(frame) = thread.frames.last() else {
            break Pause::Slow;
        };
        let base = frame.base as usize;
        let mut pc = frame.pc;
        let registers = &mut thread.registers[base..];
        let pause = loop {
            let op = &ops[pc as usize];
            steps += 1;
            match *op {
                Op::Copy(target, a, width) => {
                    registers[target as usize] = get(image, registers, a).truncate(width);
                }
                Op::SignExtend(target, a, from, to) => {
                    let value = get(image, registers, a).sign_extend(from);
                    registers[target as usize] = value.truncate(to);
                }
                Op::Binary(operation, width, target, a, b) => {
                    let (a, b) = (get(image, registers, a), get(image, registers, b));
                    if operation.divides()
                        && let Err(fault) = division(operation, width, a, b)
                    {
                        break Pause::Fault(fault);
                    }
                    registers[target as usize] = if a.undefined | b.undefined == 0 {
                        let (a, b) = (width.truncate(a.word), width.truncate(b.word));
                        Value::new(operation.apply(width, a, b))
                    } else {
                        value::binary(operation, width, a, b)
                    };
                }
                Op::Jump(to) => {
                    pc = to;
                    continue;
                }
                Op::Branch(condition, then, otherwise) => {
                    let condition = get(image, registers, condition);
                    if condition.undefined != 0 && condition.word == 0 {
                        break Pause::Fault(undecided("a branch"));
                    }
                    pc = if condition.word != 0 { then } else { otherwise };
                    continue;
                }
                Op::Load(target, address, access) if direct => {
                    let address = get(image, registers, address);
                    if address.undefined != 0 {
                        break Pause::Slow;
                    }
                    let Ok(at) = memory.check(address.word, access.size.into(), false) else {
                        break Pause::Slow;
                    };
                    if address.word & ((1 << access.alignment) - 1) != 0 {
                        break Pause::Slow;
                    }
                    registers[target as usize] = memory.read(at, access.size.into());
                }
                Op::Store(address, value, access) if direct => {
                    let address = get(image, registers, address);
                    let value = get(image, registers, value);
                    if address.undefined != 0 {
                        break Pause::Slow;
                    }
                    let Ok(at) = memory.check(address.word, access.size.into(), true) else {
                        break Pause::Slow;
                    };
                    // Addresses may have to be made known to others: not here.
                    let passes_address = access.size == 8 && value.word >> 20 != 0;
                    if passes_address || address.word & ((1 << access.alignment) - 1) != 0 {
                        break Pause::Slow;
                    }
                    memory.write(at, access.size.into(), value);
                }
                Op::Select(target, condition, a, b) => {
                    let condition = get(image, registers, condition);
                    let (a, b) = (get(image, registers, a), get(image, registers, b));
                    registers[target as usize] = match (condition.undefined, condition.word) {
                        (0, 0) => b,
                        (0, _) => a,
                        _ if a == b => a,
                        _ => Value::UNDEFINED,
                    };
                }
                Op::Unary(operation, width, target, a) => {
                    let a = get(image, registers, a).truncate(width);
                    registers[target as usize] = match a.undefined {
                        0 => Value::new(operation.apply(width, a.word)),
                        _ => Value::UNDEFINED.truncate(width),
                    };
                }
                Op::Convert(conversion, from, to, target, a) => {
                    let a = get(image, registers, a).truncate(from);
                    registers[target as usize] = match a.undefined {
                        0 => Value::new(conversion.apply(from, to, a.word)),
                        _ => Value::UNDEFINED.truncate(to),
                    };
                }
                Op::Switch(value, table) => {
                    let value = get(image, registers, value);
                    if value.undefined != 0 {
                        break Pause::Fault(undecided("a switch"));
                    }
                    let (cases, otherwise) = &image.switches[table as usize];
                    pc = match cases.binary_search_by_key(&value.word, |(word, _)| *word) {
                        Ok(case) => cases[case].1,
                        Err(_) => *otherwise,
                    };
                    continue;
                }
                Op::EnterLoop(number) if skip_loops && !image.loops[number as usize].may_wait => {}
                Op::RepeatLoop(number)
                    if skip_loops && !image.loops[number as usize].may_wait && steps < 1 << 20 => {}
                Op::Call(function, arguments, targets) => {
                    let base = base as u32;
                    if let Some(frame) = thread.frames.last_mut() {
                        frame.pc = pc;
                    }
                    match call(image, thread, base, function, arguments, targets, depth) {
                        Ok(()) => continue 'frames,
                        Err(fault) => break Pause::Fault(fault),
                    }
                }
                Op::Return(values) => {
                    if let Some(frame) = thread.frames.last_mut() {
                        frame.pc = pc;
                    }
                    if leave(image, thread, values, depth) {
                        continue 'frames;
                    }
                    break Pause::Slow;
                }
                _ => break Pause::Slow,
            }
            pc += 1;
        };
        if let Some(frame) = thread.frames.last_mut() {
            frame.pc = pc;
        }
        break 'frames pause;
    };
    thread.steps += steps;
    result
}

/// Calls a function; the caller's program counter stands at the call.
fn call(
    image: &Image,
    thread: &mut Thread,
    base: u32,
    function: FunctionId,
    arguments: Range,
    targets: Range,
    depth: u32,
) -> Run<()> {
    let first = thread.registers.len();
    for slot in &image.slots[arguments.indices()] {
        let value = get(image, &thread.registers[base as usize..first], *slot);
        thread.registers.push(value);
    }
    enter_with(image, thread, function, first, targets, depth)?;
    let caller = thread.frames.len() - 2;
    thread.frames[caller].pc += 1;
    Ok(())
}

/// Returns from a function that has no locals to end; false if there is more to it.
fn leave(image: &Image, thread: &mut Thread, values: Range, depth: u32) -> bool {
    let count = thread.frames.len();
    let [.., caller, frame] = &thread.frames[..] else {
        return false;
    };
    let turns = thread.turns.last();
    // A thread that ends runs destructors, and nothing below them any more.
    if thread.result.is_some()
        || frame.locals != depth
        || turns.is_some_and(|turn| turn.depth >= count as u32)
    {
        return false;
    }
    let (base, caller) = (frame.base as usize, caller.base as usize);
    let targets = &image.targets[frame.targets.indices()];
    for (target, slot) in targets.iter().zip(&image.slots[values.indices()]) {
        let value = get(image, &thread.registers[base..], *slot);
        thread.registers[caller + *target as usize] = value;
    }
    thread.registers.truncate(base);
    thread.frames.pop();
    true
}

fn undecided(what: &str) -> Box<Fault> {
    let message = format!("{what} depends on an uninitialised value");
    Box::new(Fault::new(FaultKind::Uninitialised, message))
}

#[cold]
fn division(operation: program::Binary, width: Width, a: Value, b: Value) -> Run<()> {
    let (a, b) = (a.truncate(width), b.truncate(width));
    if b.undefined != 0 && b.word == 0 {
        return Err(undecided("a division"));
    }
    if !operation.fails(width, a.word, b.word) {
        return Ok(());
    }
    let message = match b.word {
        0 => "division by zero".to_owned(),
        _ => format!("{} / -1 does not fit the type", width.signed(a.word)),
    };
    Err(Box::new(Fault::new(FaultKind::Division, message)))
}
