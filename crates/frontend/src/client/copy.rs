//! Copies of functions, one for each invocation where they observe something.
//!
//! What an invocation observes has a name of its own, and what `fp_retry` means depends on
//! the invocation. So an operation, and the functions it calls that observe or retry, are
//! copied for each; all others are one for the whole client. Spans stay as they are.

use super::{ClientError, Column};
use ::program::{
    Callee, Function, FunctionId, Instruction, InstructionKind as Kind, ObjectKind, Operand,
    Program, Routine,
};
use std::collections::{HashMap, HashSet};

/// An invocation for which functions are copied.
pub(super) struct Context {
    /// Thread, position and operation; none for the initialisation, which is not observed.
    pub observed: Option<(usize, usize, String)>,
    /// Executions that come to `fp_retry` do not count.
    pub primed: bool,
}

/// Makes the functions of a client.
pub(super) struct Copier<'p> {
    program: &'p Program,
    /// Which functions observe or retry, themselves or by calls.
    marked: Vec<bool>,
    /// The functions of the client; those not made yet are none.
    functions: Vec<Option<Function>>,
    names: HashSet<String>,
    /// Functions that all invocations have in common.
    shared: HashMap<FunctionId, FunctionId>,
    /// What is observed, in the order of the copies.
    pub columns: Vec<Column>,
}

impl<'p> Copier<'p> {
    pub fn new(program: &'p Program) -> Self {
        Copier {
            program,
            marked: marked(program),
            functions: Vec::new(),
            names: HashSet::new(),
            shared: HashMap::new(),
            columns: Vec::new(),
        }
    }

    /// Room for a function that is made later.
    pub fn reserve(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId::from(self.functions.len() - 1)
    }

    /// Makes a function that there is room for.
    pub fn define(&mut self, id: FunctionId, mut function: Function) {
        let mut number = 2;
        let wanted = function.name.clone();
        while !self.names.insert(function.name.clone()) {
            function.name = format!("{wanted} ({number})");
            number += 1;
        }
        self.functions[id.index()] = Some(function);
    }

    /// The copy of a function for an invocation, under a name.
    pub fn copy(
        &mut self,
        function: FunctionId,
        name: Option<String>,
        context: &Context,
    ) -> Result<FunctionId, ClientError> {
        let mut own = HashMap::new();
        let mut pending = Vec::new();
        let first = self.target(function, &mut own, &mut pending);
        let mut name = name;
        // A queue, so that the columns of an operation come before those of what it calls.
        let mut done = 0;
        while let Some((original, copy)) = pending.get(done).copied() {
            done += 1;
            let found: &Function = &self.program.functions[original.index()];
            let mut function = found.clone();
            if self.marked[original.index()] {
                function.name = match (name.take(), &context.observed) {
                    (Some(name), _) => name,
                    (None, Some((thread, position, _))) => {
                        format!("{} in {thread}.{position}", found.name)
                    }
                    (None, None) => found.name.clone(),
                };
            }
            for block in &mut function.blocks {
                let instructions = std::mem::take(&mut block.instructions);
                let mut before = None;
                for mut instruction in instructions {
                    let chosen = before.take();
                    if let Kind::Choose { target, .. } = instruction.kind {
                        before = Some(Operand::Register(target));
                    }
                    if let Kind::Call {
                        callee: Callee::Function(callee),
                        ..
                    } = &mut instruction.kind
                    {
                        *callee = self.target(*callee, &mut own, &mut pending);
                    }
                    if let Some(kept) = self.adapt(instruction, chosen, context)? {
                        block.instructions.push(kept);
                    }
                }
            }
            self.define(copy, function);
        }
        Ok(first)
    }

    /// The copy that a call goes to.
    fn target(
        &mut self,
        function: FunctionId,
        own: &mut HashMap<FunctionId, FunctionId>,
        pending: &mut Vec<(FunctionId, FunctionId)>,
    ) -> FunctionId {
        let copies = match self.marked[function.index()] {
            true => own,
            false => &mut self.shared,
        };
        if let Some(copy) = copies.get(&function) {
            return *copy;
        }
        let copy = FunctionId::from(self.functions.len());
        copies.insert(function, copy);
        self.functions.push(None);
        pending.push((function, copy));
        copy
    }

    /// An instruction as it is in an invocation, if it is there. `chosen` is what the
    /// instruction before it has chosen.
    fn adapt(
        &mut self,
        instruction: Instruction,
        chosen: Option<Operand>,
        context: &Context,
    ) -> Result<Option<Instruction>, ClientError> {
        let span = instruction.span;
        let kind = match instruction.kind {
            Kind::Observe { name, value } => {
                let Some(invocation) = &context.observed else {
                    return Ok(None);
                };
                let name = self.column(invocation, name, chosen == Some(value))?;
                Kind::Observe { name, value }
            }
            Kind::Call {
                callee: Callee::Routine(Routine::Retry),
                ..
            } => match context.primed {
                true => Kind::Assume {
                    condition: Operand::Constant(0),
                },
                false => return Ok(None),
            },
            kind => kind,
        };
        Ok(Some(Instruction { kind, span }))
    }

    /// The name of what an invocation observes under a label.
    fn column(
        &mut self,
        (thread, position, operation): &(usize, usize, String),
        label: String,
        argument: bool,
    ) -> Result<String, ClientError> {
        let column = Column {
            name: format!("{thread}.{position} {operation} {label}"),
            thread: *thread,
            position: *position,
            operation: operation.clone(),
            label,
            argument,
        };
        match self.columns.iter().find(|known| known.name == column.name) {
            Some(known) if known.argument != argument => Err(ClientError::TwoKinds {
                operation: column.operation,
                label: column.label,
            }),
            Some(_) => Ok(column.name),
            None => {
                let name = column.name.clone();
                self.columns.push(column);
                Ok(name)
            }
        }
    }

    /// The functions whose addresses are used, by the objects that stand for them.
    pub fn copy_code(&mut self, objects: &mut [::program::Object]) -> Result<(), ClientError> {
        let nobody = Context {
            observed: None,
            primed: false,
        };
        for object in objects {
            let ObjectKind::Code(function) = &mut object.kind else {
                continue;
            };
            if self.marked[function.index()] {
                let name = self.program.functions[function.index()].name.clone();
                return Err(ClientError::ByAddress(name));
            }
            *function = self.copy(*function, None, &nobody)?;
        }
        Ok(())
    }

    pub fn into_functions(self) -> Vec<Function> {
        self.functions.into_iter().flatten().collect()
    }
}

/// Which functions observe or retry, themselves or by calls.
fn marked(program: &Program) -> Vec<bool> {
    let mut marked = vec![false; program.functions.len()];
    loop {
        let mut grown = false;
        for (index, function) in program.functions.iter().enumerate() {
            let mut instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            let marks = |instruction: &Instruction| match &instruction.kind {
                Kind::Observe { .. } => true,
                Kind::Call { callee, .. } => match callee {
                    Callee::Function(callee) => marked[callee.index()],
                    Callee::Routine(routine) => *routine == Routine::Retry,
                    Callee::Pointer(_) => false,
                },
                _ => false,
            };
            if !marked[index] && instructions.any(marks) {
                marked[index] = true;
                grown = true;
            }
        }
        if !grown {
            return marked;
        }
    }
}
