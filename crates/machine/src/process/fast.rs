//! The fast part of the interpreter: what needs nothing but registers, and memory where
//! nobody else can notice.

use super::Run;
use super::finish::MOST_READS;
use super::image::{Access, Image, Op, Pc, Range, Slot};
use super::memory::{Location, Memory};
use super::thread::{Frame, Seen, Thread};
use super::value::{self, Value};
use answer::{Fault, FaultKind};
use program::{FunctionId, Width, Word};

/// Frames from which on calls are nested without end.
const DEEPEST: usize = 100_000;
/// Registers from which on they are.
const MOST_REGISTERS: usize = 20_000_000;

/// Why the fast part of the interpreter gave up.
pub(super) enum Pause {
    /// The operation at the program counter is not for it.
    Slow,
    /// Something is wrong.
    Fault(Box<Fault>),
}

/// The value of a slot.
#[inline(always)]
pub(super) fn get(image: &Image, registers: &[Value], slot: Slot) -> Value {
    match slot.resolve() {
        Ok(register) => registers[register],
        Err(constant) => Value::new(image.constants[constant]),
    }
}

/// What a thread may do fast.
#[derive(Clone, Copy)]
pub(super) struct FastMode {
    /// Memory is the thread's own for the moment.
    pub direct: bool,
    /// Loops that cannot wait need no marks.
    pub skip_loops: bool,
    /// The number of the thread's locals.
    pub depth: u32,
}

/// Runs what needs nothing but registers, and memory where it may, as fast as it can. Tells what it reads there if somebody wants to know.
pub(super) fn fast(
    image: &Image,
    thread: &mut Thread,
    memory: &mut Memory,
    mut reads: Option<&mut Vec<Seen>>,
    mode: FastMode,
) -> Pause {
    let FastMode {
        direct,
        skip_loops,
        depth,
    } = mode;
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
            steps += 1;
            match ops[pc as usize] {
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
                    let Some(at) = locate(memory, address, access, false) else {
                        break Pause::Slow;
                    };
                    let value = memory.read(at, access.size.into());
                    registers[target as usize] = value;
                    if let Some(reads) = &mut reads
                        && reads.len() < MOST_READS
                    {
                        let size = access.size;
                        reads.push(Seen { at, size, value });
                    }
                }
                Op::Store(address, value, access) if direct => {
                    let address = get(image, registers, address);
                    let value = get(image, registers, value);
                    // Addresses may have to be made known to others: not here.
                    let passes_address = access.size == 8 && value.word >> 20 != 0;
                    let at = locate(memory, address, access, true);
                    let Some(at) = at.filter(|_| !passes_address) else {
                        break Pause::Slow;
                    };
                    memory.write(at, access.size.into(), value);
                }
                Op::Switch(value, table) => {
                    let value = get(image, registers, value);
                    if value.undefined != 0 {
                        break Pause::Fault(undecided("a switch"));
                    }
                    pc = case(&image.switches[table as usize], value.word);
                    continue;
                }
                Op::Reach(assertion) => {
                    // No operation of the program.
                    steps -= 1;
                    image.reach(assertion);
                }
                Op::EnterLoop(number) if skip_loops && !image.loops[number as usize].may_wait => {}
                Op::RepeatLoop(number)
                    if skip_loops && !image.loops[number as usize].may_wait && steps < 1 << 20 => {}
                Op::Call(function, arguments, targets) => {
                    set_pc(thread, pc);
                    let base = base as u32;
                    match call(image, thread, base, function, arguments, targets, depth) {
                        Ok(()) => continue 'frames,
                        Err(fault) => break Pause::Fault(fault),
                    }
                }
                Op::Return(values) => {
                    set_pc(thread, pc);
                    if leave(image, thread, values, depth) {
                        continue 'frames;
                    }
                    break Pause::Slow;
                }
                ref op => {
                    if let Err(pause) = compute(image, registers, op) {
                        break pause;
                    }
                }
            }
            pc += 1;
        };
        set_pc(thread, pc);
        break 'frames pause;
    };
    thread.steps += steps;
    result
}

#[inline(always)]
fn set_pc(thread: &mut Thread, pc: Pc) {
    if let Some(frame) = thread.frames.last_mut() {
        frame.pc = pc;
    }
}

/// Computes a register from others.
#[inline(always)]
pub(super) fn compute(image: &Image, registers: &mut [Value], op: &Op) -> Result<(), Pause> {
    let (target, value) = match *op {
        Op::Copy(target, a, width) => (target, get(image, registers, a).truncate(width)),
        Op::SignExtend(target, a, from, to) => {
            let value = get(image, registers, a).sign_extend(from);
            (target, value.truncate(to))
        }
        Op::Binary(operation, width, target, a, b) => {
            let (a, b) = (get(image, registers, a), get(image, registers, b));
            if operation.divides() {
                division(operation, width, a, b).map_err(Pause::Fault)?;
            }
            let value = if a.undefined | b.undefined == 0 {
                let (a, b) = (width.truncate(a.word), width.truncate(b.word));
                Value::new(operation.apply(width, a, b))
            } else {
                value::binary(operation, width, a, b)
            };
            (target, value)
        }
        Op::Select(target, condition, a, b) => {
            let condition = get(image, registers, condition);
            let (a, b) = (get(image, registers, a), get(image, registers, b));
            let value = match (condition.undefined, condition.word) {
                (0, 0) => b,
                (0, _) => a,
                _ if a == b => a,
                _ => Value::UNDEFINED,
            };
            (target, value)
        }
        Op::Unary(operation, width, target, a) => {
            let a = get(image, registers, a).truncate(width);
            let value = match a.undefined {
                0 => Value::new(operation.apply(width, a.word)),
                _ => Value::UNDEFINED.truncate(width),
            };
            (target, value)
        }
        Op::Convert(conversion, from, to, target, a) => {
            let a = get(image, registers, a).truncate(from);
            let value = match a.undefined {
                0 => Value::new(conversion.apply(from, to, a.word)),
                _ => Value::UNDEFINED.truncate(to),
            };
            (target, value)
        }
        _ => return Err(Pause::Slow),
    };
    registers[target as usize] = value;
    Ok(())
}

/// Where an access goes, if nothing is wrong with it.
#[inline(always)]
pub(super) fn locate(
    memory: &Memory,
    address: Value,
    access: Access,
    writes: bool,
) -> Option<Location> {
    if address.undefined != 0 || address.word & ((1 << access.alignment) - 1) != 0 {
        return None;
    }
    memory.check(address.word, access.size.into(), writes).ok()
}

/// Where a switch goes.
fn case((cases, otherwise): &(Vec<(Word, Pc)>, Pc), word: Word) -> Pc {
    match cases.binary_search_by_key(&word, |(word, _)| *word) {
        Ok(case) => cases[case].1,
        Err(_) => *otherwise,
    }
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
    let iterations = thread.iterations.last();
    // A thread that ends runs destructors, and nothing below them any more.
    if thread.result.is_some()
        || frame.locals != depth
        || iterations.is_some_and(|iteration| iteration.depth >= count as u32)
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

pub(super) fn enter(
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
