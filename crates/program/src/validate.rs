//! Checks that a program hangs together before anything runs it.

use crate::{
    Address, BlockId, Expression, Formula, Function, FunctionId, InstructionKind, Observable,
    Operand, Place, Position, Program, RegisterId, Span, SyncOp, Term, Terminator, ThreadId, Width,
};
use std::collections::HashSet;
use std::fmt;

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// Function in which it is wrong, if it is code.
    pub function: Option<String>,
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "in {function}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValidationError {}

type Checked = Result<(), ValidationError>;

fn wrong(span: Span, message: impl Into<String>) -> ValidationError {
    ValidationError {
        function: None,
        span,
        message: message.into(),
    }
}

fn distinct<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Checked {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(wrong(
                Span::NOWHERE,
                format!("two {what} are called {name}"),
            ));
        }
    }
    Ok(())
}

impl Program {
    /// Checks that every name, number and width fits.
    pub fn validate(&self) -> Checked {
        distinct("objects", self.objects.iter().map(|o| o.name.as_str()))?;
        distinct("functions", self.functions.iter().map(|f| f.name.as_str()))?;
        if self.objects.len() > Address::MAX_OBJECTS {
            return Err(wrong(Span::NOWHERE, "too many objects"));
        }
        for object in &self.objects {
            let size = object.cell.bytes() as usize * object.initial.len();
            if !object.cell.is_access() || size == 0 || size > Address::MAX_OBJECT_SIZE as usize {
                return Err(wrong(
                    object.span,
                    format!("object {} has an impossible size", object.name),
                ));
            }
            if object
                .initial
                .iter()
                .any(|v| object.cell.truncate(*v) != *v)
            {
                return Err(wrong(
                    object.span,
                    format!(
                        "initial value of {} does not fit {}",
                        object.name, object.cell
                    ),
                ));
            }
        }
        for function in &self.functions {
            self.validate_function(function).map_err(|mut error| {
                error.function = Some(function.name.clone());
                error
            })?;
        }
        for thread in &self.threads {
            let Some(function) = self.functions.get(thread.function.index()) else {
                return Err(wrong(
                    Span::NOWHERE,
                    format!("{} runs no function", thread.name),
                ));
            };
            if function.parameters != 0 {
                let message = format!("{} runs a function with parameters", thread.name);
                return Err(wrong(Span::NOWHERE, message));
            }
            for (register, _) in &thread.initial {
                function.check_register(*register, Span::NOWHERE)?;
            }
        }
        self.validate_properties()
    }

    fn validate_properties(&self) -> Checked {
        let properties = &self.properties;
        let condition = properties.condition.as_ref().map(|c| &c.property.formula);
        let formulas = properties.formulas_of_all_states();
        let formulas = formulas.chain(&properties.filter).chain(condition);
        for formula in formulas {
            let mut checked = Ok(());
            formula.visit(&mut |part| {
                if checked.is_ok() {
                    checked = self.validate_atom(part);
                }
            });
            checked?;
        }
        let mut observed = self.observed.iter();
        observed.try_for_each(|observable| self.validate_observable(observable))
    }

    fn validate_atom(&self, formula: &Formula) -> Checked {
        match formula {
            Formula::Compare(_, a, b) => [a, b].into_iter().try_for_each(|term| match term {
                Term::Value(observable) => self.validate_observable(observable),
                Term::Address(address, _) => self.check_address(*address, Span::NOWHERE),
                Term::Number(_) => Ok(()),
            }),
            Formula::At(thread, position) => {
                self.check_thread(*thread)?;
                match position {
                    Position::Label(block, _) => {
                        let function = self.function_of(*thread);
                        function.check_block(*block, Span::NOWHERE)
                    }
                    Position::End => Ok(()),
                }
            }
            Formula::Not(_) | Formula::And(_) | Formula::Or(_) => Ok(()),
        }
    }

    fn validate_observable(&self, observable: &Observable) -> Checked {
        match observable.place {
            Place::Memory(address) => match self.cell_at(address) {
                Some((object, _)) if observable.width <= object.cell => Ok(()),
                _ => {
                    let message = format!("{} is no memory cell", observable.name);
                    Err(wrong(Span::NOWHERE, message))
                }
            },
            Place::Register(thread, register) => {
                self.check_thread(thread)?;
                let function = self.function_of(thread);
                function.check_register(register, Span::NOWHERE)
            }
        }
    }

    fn check_thread(&self, thread: ThreadId) -> Checked {
        match self.threads.get(thread.index()) {
            Some(_) => Ok(()),
            None => Err(wrong(Span::NOWHERE, format!("there is no thread {thread}"))),
        }
    }

    fn check_address(&self, address: Address, span: Span) -> Checked {
        match self.objects.get(address.object.index()) {
            Some(_) => Ok(()),
            None => Err(wrong(span, format!("there is no {}", address.object))),
        }
    }

    fn check_operand(&self, function: &Function, operand: Operand, span: Span) -> Checked {
        match operand {
            Operand::Register(register) => function.check_register(register, span),
            Operand::Constant(_) => Ok(()),
            Operand::Address(address) => self.check_address(address, span),
        }
    }

    fn check_call(&self, callee: FunctionId, arguments: usize, span: Span) -> Checked {
        match self.functions.get(callee.index()) {
            Some(function) if function.parameters as usize == arguments => Ok(()),
            Some(function) => {
                let (name, wanted) = (&function.name, function.parameters);
                let message = format!("{name} takes {wanted} arguments, not {arguments}");
                Err(wrong(span, message))
            }
            None => Err(wrong(span, format!("there is no {callee}"))),
        }
    }

    fn validate_function(&self, function: &Function) -> Checked {
        let registers = function.registers.iter().map(|r| r.name.as_str());
        distinct("registers", registers)?;
        distinct("blocks", function.blocks.iter().map(|b| b.label.as_str()))?;
        if function.blocks.is_empty() {
            return Err(wrong(Span::NOWHERE, "no code"));
        }
        if function.parameters as usize > function.registers.len() {
            return Err(wrong(Span::NOWHERE, "more parameters than registers"));
        }
        for block in &function.blocks {
            for instruction in &block.instructions {
                self.validate_instruction(function, &instruction.kind, instruction.span)?;
            }
            let span = block.terminator_span;
            for target in block.terminator.successors() {
                function.check_block(target, span)?;
            }
            let read = match block.terminator {
                Terminator::Branch { condition, .. } => Some(condition),
                Terminator::Return(value) => value,
                Terminator::Jump(_) => None,
            };
            if let Some(operand) = read {
                self.check_operand(function, operand, span)?;
            }
        }
        Ok(())
    }

    fn validate_instruction(
        &self,
        function: &Function,
        kind: &InstructionKind,
        span: Span,
    ) -> Checked {
        use InstructionKind::*;
        if let Some(target) = kind.target() {
            function.check_register(target, span)?;
        }
        for operand in kind.operands() {
            self.check_operand(function, operand, span)?;
        }
        match kind {
            Load { width, .. }
            | Store { width, .. }
            | Update { width, .. }
            | CompareExchange { width, .. }
                if !width.is_access() =>
            {
                Err(wrong(span, format!("no access can be {width}")))
            }
            Load { target, width, .. }
            | Update { target, width, .. }
            | CompareExchange { target, width, .. } => function.check_fits(*target, *width, span),
            Assign {
                target,
                value: Expression::Binary(operation, width, ..),
            } => {
                let result = if operation.is_comparison() {
                    Width::BIT
                } else {
                    *width
                };
                function.check_fits(*target, result, span)
            }
            Call {
                callee, arguments, ..
            }
            | Spawn {
                callee, arguments, ..
            } => self.check_call(*callee, arguments.len(), span),
            Choose { count: 0, .. } => Err(wrong(span, "a choice among nothing")),
            Sync {
                operation, mutex, ..
            } if (*operation == SyncOp::Wait) != mutex.is_some() => {
                Err(wrong(span, "only a wait names a second mutex"))
            }
            _ => Ok(()),
        }
    }
}

impl Function {
    fn check_register(&self, register: RegisterId, span: Span) -> Checked {
        match self.registers.get(register.index()) {
            Some(_) => Ok(()),
            None => Err(wrong(span, format!("there is no register {register}"))),
        }
    }

    fn check_block(&self, block: BlockId, span: Span) -> Checked {
        match self.blocks.get(block.index()) {
            Some(_) => Ok(()),
            None => Err(wrong(span, format!("there is no {block}"))),
        }
    }

    /// A value of `width` must not lose bits in `target`.
    fn check_fits(&self, target: RegisterId, width: Width, span: Span) -> Checked {
        let register = &self.registers[target.index()];
        if width <= register.width {
            return Ok(());
        }
        let (name, has) = (&register.name, register.width);
        Err(wrong(
            span,
            format!("{name} is {has}, too narrow for {width}"),
        ))
    }
}
