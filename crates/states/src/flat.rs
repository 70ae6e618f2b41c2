//! C programs under models whose machine has no calls, by making them flat.

use crate::options::Options;
use crate::verdict::{Exploration, MainEnds, Refusal, with_machine};
use answer::{
    Bound, Event, Execution, Fault, FaultKind, ModelResult, Shown, Verdict, Violation, Warning,
};
use memory::Model;
use program::{Address, Function, InstructionKind, Program, Span, Word};
use std::time::Instant;

/// Addresses below this are null with an offset.
const NULL: Word = 1 << 12;

/// Explores every state of a C program that can be made flat.
pub(crate) fn run(
    program: &Program,
    model: Model,
    options: &Options,
) -> Result<ModelResult, Refusal> {
    let started = Instant::now();
    let flat = flatten::flatten(program)?;
    // The time is that of all searches together.
    let left = || Options {
        control: options.control.after(started.elapsed()),
        ..options.clone()
    };
    let mut result = with_machine(&flat, model, &left(), Exploration)?;
    let names = flat.threads.iter().map(|thread| thread.name.clone());
    result.started = names.skip(program.threads.len()).collect();
    // A program may end when main has ended, whatever other threads still do.
    let searched = result.bounds.iter().all(|bound| bound.is_exhausted());
    if result.verdict == Verdict::Holds && result.outcomes.is_empty() && searched {
        let bound = match with_machine(&flat, model, &left(), MainEnds::Alone)? {
            Ok(true) => None,
            Ok(false) => Some(Bound::NoExecution),
            Err(bound) => Some(bound),
        };
        result.bounds.extend(bound);
        result.verdict = Verdict::of(false, &result.bounds);
    }
    // Outcomes are those of executions in which every thread ends.
    if searched
        && !program.observed.is_empty()
        && (waits(&flat) || flat.functions.iter().any(Function::has_loop))
    {
        let bound = match with_machine(&flat, model, &left(), MainEnds::BeforeOthers)? {
            Ok(true) => Some(Bound::WaitingAtEnd),
            Ok(false) => None,
            Err(bound) => Some(bound),
        };
        result.bounds.extend(bound);
        result.verdict = Verdict::of(result.violation.is_some(), &result.bounds);
    }
    if waits(&flat) {
        result.bounds.insert(0, Bound::Waiting);
    }
    // Objects of the flat program, and registers, are there from the start to the end, and hold 0
    // at first.
    result.bounds.extend([Bound::Lifetimes, Bound::Undefined]);
    result.warnings.push(Warning {
        span: Span::NOWHERE,
        message: format!(
            "under {model} deadlocks, data races, leaks, and uses of freed or uninitialised memory \
             are not looked for"
        ),
    });
    result.violation = result.violation.map(|violation| told(&flat, violation));
    result.execution = result.execution.map(with_values_of_c);
    Ok(result)
}

/// An execution with its values as those of other C programs.
pub(crate) fn with_values_of_c(mut execution: Execution) -> Execution {
    for step in &mut execution.steps {
        if let Event::Access(access) = &mut step.event {
            for datum in std::iter::once(&mut access.value).chain(&mut access.written) {
                datum.shown = Shown::Text(datum.to_string());
            }
        }
    }
    execution
}

/// Whether an execution may be given up because somebody waits.
fn waits(flat: &Program) -> bool {
    let blocks = flat.functions.iter().flat_map(|function| &function.blocks);
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|instruction| matches!(instruction.kind, InstructionKind::Assume { .. }))
}

/// What is wrong, without the locations of the flat program.
fn told(flat: &Program, violation: Violation) -> Violation {
    let Violation::BadAccess {
        thread,
        span,
        address,
    } = violation
    else {
        return violation;
    };
    let location = Address::from_word(address).filter(|a| a.object.index() < flat.objects.len());
    let fault = match location {
        _ if address < NULL => Fault::new(FaultKind::Null, "access through a null pointer"),
        Some(location) => {
            let message = format!(
                "access to {}, where nothing of its size is",
                flat.location_name(location)
            );
            Fault::new(FaultKind::Bounds, message)
        }
        None => Fault::new(
            FaultKind::Wild,
            format!("access to {address:#x}, where nothing is"),
        ),
    };
    Violation::Fault {
        thread,
        span,
        fault,
    }
}
