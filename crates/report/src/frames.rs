//! The user's own code behind a step: the innermost call that is in neither a system header nor a wrapper.
//!
//! A *wrapper* is a function that does one access to what its caller passes, such as `int load(atomic_int *p)`: where it is called says more
//! than the line in it.

use crate::sites::file_name;
use answer::Step;
use program::{Callee, Function, InstructionKind, Operand, Program, Span, Terminator};
use std::collections::HashSet;

/// Which functions of a program are wrappers.
pub(crate) struct Frames<'p> {
    program: &'p Program,
    wrappers: HashSet<&'p str>,
}

impl<'p> Frames<'p> {
    pub fn new(program: &'p Program) -> Self {
        let functions = program.functions.iter();
        let wrappers = functions.filter(|function| is_wrapper(function));
        Frames {
            program,
            wrappers: wrappers.map(|function| function.name.as_str()).collect(),
        }
    }

    /// Where a step is in the user's own code; its own span if nothing else is.
    pub fn span(&self, step: &Step) -> Span {
        let mut span = step.span;
        for call in step.stack.iter().rev() {
            let own = span != Span::NOWHERE && !self.is_system(span);
            if own && !self.wrappers.contains(call.function.as_str()) || call.span == Span::NOWHERE
            {
                break;
            }
            span = call.span;
        }
        if span == Span::NOWHERE {
            step.span
        } else {
            span
        }
    }

    /// True for code in a header of the system, or of Fencepost.
    pub fn is_system(&self, span: Span) -> bool {
        let name = file_name(self.program, span);
        span.file != 0
            && (name.starts_with("/usr/")
                || name.starts_with('<')
                || name.contains("/include/")
                || name.ends_with("fencepost.h"))
    }
}

/// True for a function of a parameter or more that goes straight to its end, with one access to what a register points to.
fn is_wrapper(function: &Function) -> bool {
    let straight =
        |terminator: &Terminator| matches!(terminator, Terminator::Jump(_) | Terminator::Return(_));
    if function.parameters == 0 || !function.blocks.iter().all(|b| straight(&b.terminator)) {
        return false;
    }
    let mut accesses = 0;
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        match &instruction.kind {
            InstructionKind::Load { address, .. }
            | InstructionKind::Store { address, .. }
            | InstructionKind::Update { address, .. }
            | InstructionKind::CompareExchange { address, .. } => {
                if !matches!(address, Operand::Register(_)) {
                    return false;
                }
                accesses += 1;
            }
            InstructionKind::Call {
                callee, arguments, ..
            } => {
                let passed = matches!(arguments.first(), Some(Operand::Register(_)));
                if !passed || !matches!(callee, Callee::Routine(_)) {
                    return false;
                }
                accesses += 1;
            }
            InstructionKind::Assign { .. } | InstructionKind::Fence(_) => {}
            _ => return false,
        }
    }
    accesses == 1
}
