//! Which registers the steps of a litmus test write, and to what.
//!
//! Engines do not log registers. A litmus test has an instruction of its own at each place, so that of a step is found by the place and by
//! what the step does; where two would fit, nothing is said. Nor is it of C programs, whose registers are clang's.

use super::{AccessEvent, Datum, Event, Execution, Step, StepId};
use program::{InstructionKind, Program, RegisterId};

/// A register that a step wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterWrite {
    /// The step.
    pub step: StepId,
    /// The register, of the function of the step's thread.
    pub register: RegisterId,
    /// What it was set to.
    pub value: Datum,
}

impl Execution {
    /// What the steps write to registers, in their order; nothing for C programs.
    pub fn registers(&self, program: &Program) -> Vec<RegisterWrite> {
        if program.process {
            return Vec::new();
        }
        let steps = self.steps.iter().enumerate();
        steps
            .filter_map(|(id, step)| written(program, id, step))
            .collect()
    }
}

fn written(program: &Program, id: StepId, step: &Step) -> Option<RegisterWrite> {
    let thread = program.threads.get(step.thread.index())?;
    let function = program.functions.get(thread.function.index())?;
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let here = instructions.filter(|instruction| instruction.span == step.span);
    let mut targets = here.filter_map(|instruction| target(&instruction.kind, &step.event));
    let register = targets.next()?;
    if targets.next().is_some() {
        return None;
    }
    let width = function.registers.get(register.index())?.width;
    let value = match &step.event {
        Event::Access(access) => access.value.clone(),
        Event::Compute { value } | Event::Choose { value } => {
            Datum::of_cell(program, *value, width, false)
        }
        _ => return None,
    };
    Some(RegisterWrite {
        step: id,
        register,
        value,
    })
}

/// The register that an instruction writes if the event is its own.
fn target(instruction: &InstructionKind, event: &Event) -> Option<RegisterId> {
    use InstructionKind::{Assign, Choose, CompareExchange, Load, Update};
    match (instruction, event) {
        (Assign { target, .. }, Event::Compute { .. })
        | (Choose { target, .. }, Event::Choose { .. }) => Some(*target),
        (instruction, Event::Access(access)) => match (instruction, access.kind) {
            (Load { target, .. }, AccessEvent::Load | AccessEvent::Forward)
            | (Update { target, .. } | CompareExchange { target, .. }, AccessEvent::Update) => {
                Some(*target)
            }
            _ => None,
        },
        _ => None,
    }
}
