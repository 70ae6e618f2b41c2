//! Checks that a program hangs together before anything runs it.

use crate::{
    Address, BlockId, Callee, Expression, Formula, Function, FunctionId, InstructionKind,
    MemoryOrder, ObjectKind, Observable, ObservedLocation, Operand, Position, Program, RegisterId,
    Routine, Span, Term, ThreadId, Width,
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

/// All addresses together have room for this many bytes.
const LARGEST_OBJECT: u64 = 1 << 40;

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
        for index in 0..self.objects.len() {
            self.validate_object(index)?;
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

    fn validate_object(&self, index: usize) -> Checked {
        let object = &self.objects[index];
        let (name, cell) = (&object.name, object.cell);
        let empty = object.cells() == 0 && cell != Width::W8;
        if !cell.is_access() || empty || object.size() > LARGEST_OBJECT {
            let message = format!("object {name} has an impossible size");
            return Err(wrong(object.span, message));
        }
        // A large object takes the addresses of those behind it, too.
        let taken = object.size().saturating_sub(1) >> Address::OFFSET_BITS;
        let behind = self.objects[index + 1..].iter().take(taken as usize);
        let free = behind.filter(|object| object.cells() == 0).count();
        if (free as u64) < taken {
            let message = format!("object {name} has no room behind it");
            return Err(wrong(object.span, message));
        }
        if object.initial.iter().any(|v| cell.truncate(*v) != *v) {
            let message = format!("initial value of {name} does not fit {cell}");
            return Err(wrong(object.span, message));
        }
        match object.kind {
            ObjectKind::Code(_) if object.cells() > 0 => {
                let message = format!("{name} stands for a function and has cells");
                Err(wrong(object.span, message))
            }
            ObjectKind::Code(function) => match self.functions.get(function.index()) {
                Some(_) => Ok(()),
                None => Err(wrong(object.span, format!("there is no {function}"))),
            },
            ObjectKind::Shared | ObjectKind::Constant | ObjectKind::PerThread => Ok(()),
        }
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
        match observable.location {
            ObservedLocation::Memory(address) => match self.cell_at(address) {
                Some((object, _)) if observable.width <= object.cell => Ok(()),
                _ => {
                    let message = format!("{} is no memory cell", observable.name);
                    Err(wrong(Span::NOWHERE, message))
                }
            },
            ObservedLocation::Observation => Ok(()),
            ObservedLocation::Register(thread, register) => {
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
            for operand in block.terminator.operands() {
                self.check_operand(function, *operand, span)?;
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
        let mut written = Vec::new();
        for target in kind.targets() {
            function.check_register(target, span)?;
            if written.contains(&target) {
                let name = &function.registers[target.index()].name;
                return Err(wrong(span, format!("{name} is written twice")));
            }
            written.push(target);
        }
        for operand in kind.operands() {
            self.check_operand(function, operand, span)?;
        }
        check_access(kind, span)?;
        match kind {
            Load { target, width, .. }
            | Update { target, width, .. }
            | CompareExchange { target, width, .. } => function.check_fits(*target, *width, span),
            Assign { target, value } => self.check_expression(function, *target, value, span),
            Call {
                callee: Callee::Function(callee),
                arguments,
                ..
            } => self.check_call(*callee, arguments.len(), span),
            Call {
                callee: Callee::Routine(routine),
                targets,
                arguments,
            } => check_routine(*routine, targets.len(), arguments.len(), span),
            Choose {
                count: Operand::Constant(0),
                ..
            } => Err(wrong(span, "a choice among nothing")),
            _ => Ok(()),
        }
    }

    fn check_expression(
        &self,
        function: &Function,
        target: RegisterId,
        value: &Expression,
        span: Span,
    ) -> Checked {
        match value {
            Expression::Binary(operation, ..) if operation.is_comparison() => {
                function.check_fits(target, Width::BIT, span)
            }
            Expression::Binary(_, width, ..) | Expression::Unary(_, width, _) => {
                function.check_fits(target, *width, span)
            }
            Expression::Own(address) => {
                self.check_address(*address, span)?;
                let object = &self.objects[address.object.index()];
                match object.kind {
                    ObjectKind::PerThread => Ok(()),
                    _ => {
                        let message = format!("no thread has its own {}", object.name);
                        Err(wrong(span, message))
                    }
                }
            }
            Expression::Copy(_)
            | Expression::SignExtend(..)
            | Expression::Convert(..)
            | Expression::Select(..) => Ok(()),
        }
    }
}

/// An access has a width, an order and an alignment that such an access can have.
fn check_access(kind: &InstructionKind, span: Span) -> Checked {
    use InstructionKind::*;
    use MemoryOrder::*;
    let (what, width, access, impossible): (_, _, _, &[MemoryOrder]) = match kind {
        Load { width, access, .. } => ("load", width, access, &[Release, AcquireRelease]),
        Store { width, access, .. } => ("store", width, access, &[Acquire, AcquireRelease]),
        Update { width, access, .. } | CompareExchange { width, access, .. } => {
            ("read-modify-write", width, access, &[])
        }
        _ => return Ok(()),
    };
    if !width.is_access() {
        return Err(wrong(span, format!("no access can be {width}")));
    }
    if access.alignment >= Width::W64.bits() as u8 {
        let message = format!("no access can be aligned to 2^{} bytes", access.alignment);
        return Err(wrong(span, message));
    }
    if impossible.contains(&access.order) {
        let message = format!("no {what} can be {}", access.order.name());
        return Err(wrong(span, message));
    }
    match kind {
        CompareExchange {
            failure: failure @ (Release | AcquireRelease),
            ..
        } => {
            let message = format!("no failed compare-and-exchange can be {}", failure.name());
            Err(wrong(span, message))
        }
        _ => Ok(()),
    }
}

fn check_routine(routine: Routine, targets: usize, arguments: usize, span: Span) -> Checked {
    let (row, name) = (routine.row(), routine.name());
    let wanted = usize::from(row.parameters) + usize::from(row.variadic);
    if arguments != wanted {
        let message = format!("{name} takes {wanted} arguments, not {arguments}");
        return Err(wrong(span, message));
    }
    if targets > usize::from(row.result) {
        return Err(wrong(
            span,
            format!("{name} does not have this many results"),
        ));
    }
    Ok(())
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
