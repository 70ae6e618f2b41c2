//! What is known of a C program beyond its flat form: what a failure is called, and what flattening leaves out.

use answer::{Fault, FaultKind, Violation};
use program::{
    Address, Callee, Class, FunctionId, InstructionKind as Kind, Operand, Program, RegisterId,
    Routine, Span, Word,
};

/// Addresses below this are null with an offset.
const NULL: Word = 1 << 12;

/// What is wrong, as faults of C programs are described.
pub(crate) fn in_source(program: &Program, flat: &Program, violation: Violation) -> Violation {
    let (thread, span, fault) = match violation {
        Violation::Assertion { thread, span } => (thread, span, failed(program, span)),
        Violation::BadAccess {
            thread,
            span,
            address,
        } => (thread, span, bad_access(flat, address)),
        other => return other,
    };
    Violation::Fault {
        thread,
        span,
        fault,
    }
}

/// A condition that does not hold: of an assertion, or of a library function.
fn failed(program: &Program, span: Span) -> Fault {
    let classes = routines(program).filter(|(at, _)| *at == span);
    let mut classes = classes.map(|(_, routine)| routine.row().class);
    match classes.next() {
        Some(Class::Abort) => Fault::new(FaultKind::Abort, "abort is reached"),
        Some(Class::Unlock) => {
            Fault::new(FaultKind::Misuse, "a lock is given back that is not held")
        }
        Some(Class::JoinThread(_)) => Fault::new(FaultKind::Misuse, "no thread is joined"),
        _ => Fault::new(FaultKind::Assertion, "assertion failed"),
    }
}

fn bad_access(flat: &Program, address: Word) -> Fault {
    let location = Address::from_word(address);
    let location = location.filter(|location| location.object.index() < flat.objects.len());
    match location {
        _ if address < NULL => Fault::new(FaultKind::Null, "access through a null pointer"),
        Some(location) => Fault::new(
            FaultKind::Bounds,
            format!(
                "access to {}, where nothing of its size is",
                flat.location_name(location)
            ),
        ),
        None => Fault::new(
            FaultKind::Wild,
            format!("access to {address:#x}, where nothing is"),
        ),
    }
}

fn instructions(program: &Program) -> impl Iterator<Item = (Span, &Kind)> {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    instructions.map(|instruction| (instruction.span, &instruction.kind))
}

fn routines(program: &Program) -> impl Iterator<Item = (Span, Routine)> {
    instructions(program).filter_map(|(span, kind)| match kind {
        Kind::Call {
            callee: Callee::Routine(routine),
            ..
        } => Some((span, *routine)),
        _ => None,
    })
}

/// Whether there are objects that could be used after their end: locals and heap objects in memory, and what the library
/// destroys.
pub(crate) fn has_objects_that_end(program: &Program, flat: &Program) -> bool {
    let destroys = |routine: Routine| {
        matches!(
            routine.row().class,
            Class::Free | Class::DestroyMutex | Class::DestroySpin | Class::Destroy
        )
    };
    made(program, flat).next().is_some() || routines(program).any(|(_, routine)| destroys(routine))
}

/// Objects of the flat program that are accessed, and that the program does not start with.
fn made<'a>(program: &'a Program, flat: &'a Program) -> impl Iterator<Item = usize> + 'a {
    let operands = instructions(flat).flat_map(|(_, kind)| kind.operands());
    let objects = operands.filter_map(|operand| match operand {
        Operand::Address(address) => Some(address.object.index()),
        _ => None,
    });
    objects.filter(|object| *object >= program.objects.len() + flatten::SIGNALS)
}

/// Whether a value may be used that was never defined: a register that is read before it is written, or memory that
/// starts with nothing in it.
pub(crate) fn may_read_undefined(program: &Program, flat: &Program) -> bool {
    let functions = (0..flat.functions.len()).map(FunctionId::from);
    let mut undefined = functions.filter(|function| {
        let live = flat.live_registers(*function);
        let registers = 0..flat.functions[function.index()].registers.len();
        let mut registers = registers.map(RegisterId::from);
        registers.any(|register| live.before(0, 0).contains(register))
    });
    undefined.next().is_some() || made(program, flat).next().is_some()
}
