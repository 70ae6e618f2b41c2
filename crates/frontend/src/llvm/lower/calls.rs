//! Calls: of functions of the program, through pointers, of the library.

use super::Lowering;
use super::functions::{Coder, Lowered};
use super::spans::Site;
use crate::llvm::{Call, Callee as LlvmCallee, Constant, Function, Passing, Type, TypeId, Value};
use program::{
    Callee, Diagnostic, InstructionKind as Kind, Operand, ROUTINES, RegisterId, Routine, Width,
};

/// An argument of a call.
#[derive(Clone)]
pub(super) struct Argument<'m> {
    pub value_type: TypeId,
    /// Its leaves.
    pub parts: Vec<Operand>,
    pub passing: Passing,
    /// As the module has it, unless it is made up.
    pub value: Option<&'m Value>,
}

impl Argument<'_> {
    /// The argument, if it has one leaf.
    pub fn scalar(&self) -> Option<Operand> {
        match self.parts[..] {
            [part] => Some(part),
            _ => None,
        }
    }
}

/// Names that always mean the library's function, also where the program defines one.
pub(super) const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

impl<'m> Coder<'_, 'm> {
    /// Lowers a call; the operands of its result.
    pub fn call(&mut self, call: &'m Call) -> Lowered<Vec<Operand>> {
        let callee = match &call.callee {
            LlvmCallee::Assembly(assembly) => return self.assembly(call, assembly),
            LlvmCallee::Value(value) => value,
        };
        let known = match callee {
            Value::Constant(constant) => self.lowering.called(constant),
            _ => None,
        };
        let Some(id) = known else {
            return self.call_pointer(call, callee);
        };
        let module = self.lowering.module;
        let function = &module.functions[id.index()];
        let name = self.lowering.function_name(id);
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            return self.intrinsic(intrinsic, call);
        }
        if !function.is_declaration() && !ERRORS.contains(&name) {
            let lent = self.promotion.lent_to(call);
            if !lent.is_empty() {
                return self.call_lending(call, id, lent);
            }
            let arguments = self.arguments(call)?;
            let made = self.lowering.function(id);
            return self.call_function(call, function, name, Callee::Function(made), arguments);
        }
        match self.lowering.routines.get(name).copied() {
            Some(routine @ (Routine::Observe | Routine::ObserveResult)) => {
                return self.observe(routine, call);
            }
            Some(Routine::ObserveArgument) => return self.observe_argument(call),
            _ => {}
        }
        let arguments = self.arguments(call)?;
        let result = self.widths(call.result)?;
        match self.library(name, &arguments, &result)? {
            Some(parts) => {
                let extra = parts.len().saturating_sub(result.len());
                let mut parts = parts;
                parts.truncate(parts.len() - extra);
                for width in &result[parts.len()..] {
                    parts.push(self.body.undefined(*width));
                }
                Ok(parts)
            }
            None => {
                let caller = self.id.map(|id| self.lowering.function_name(id));
                Err(self.lowering.unknown_function(name, caller, self.site))
            }
        }
    }

    fn arguments(&mut self, call: &'m Call) -> Lowered<Vec<Argument<'m>>> {
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.argument_of(argument)?);
        }
        Ok(arguments)
    }

    pub fn argument_of(&mut self, argument: &'m crate::llvm::Argument) -> Lowered<Argument<'m>> {
        Ok(Argument {
            value_type: argument.value_type,
            parts: self.value(argument.value_type, &argument.value)?,
            passing: argument.passing,
            value: Some(&argument.value),
        })
    }

    fn call_function(
        &mut self,
        call: &'m Call,
        function: &'m Function,
        name: &str,
        callee: Callee,
        arguments: Vec<Argument<'m>>,
    ) -> Lowered<Vec<Operand>> {
        let expected = function.parameters.len();
        if arguments.len() < expected || (arguments.len() > expected && !function.variadic) {
            let given = arguments.len();
            let message = format!(
                "`{name}` is called with {given} arguments, but it has {expected} parameters"
            );
            let help = "declare the function with its parameters before it is called";
            return Err(self.complain(message, help));
        }
        let mut parts = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&function.parameters) {
            let leaves = self.leaves(parameter.value_type)?.len();
            if argument.parts.len() != leaves {
                let message = format!("`{name}` is called with an argument of another type");
                let help = "declare the function with its parameters before it is called";
                return Err(self.complain(message, help));
            }
            parts.extend(self.passed(argument, parameter.passing)?);
        }
        if function.variadic {
            let (named, extra) = arguments.split_at(expected);
            parts.push(self.argument_area(named, extra)?);
        }
        let results = self.widths(function.result)?;
        let made = self.emit_call(callee, parts, &results);
        self.results_as(call.result, &made)
    }

    /// The results of a call as the type that it is said to have.
    pub fn results_as(&mut self, wanted: TypeId, made: &[Operand]) -> Lowered<Vec<Operand>> {
        let wanted = self.widths(wanted)?;
        Ok(wanted
            .iter()
            .enumerate()
            .map(|(index, width)| match made.get(index) {
                Some(part) => self.body.resize(*width, *part),
                None => self.body.undefined(*width),
            })
            .collect())
    }

    fn call_pointer(&mut self, call: &'m Call, callee: &'m Value) -> Lowered<Vec<Operand>> {
        let pointer = match callee {
            Value::Constant(Constant::Undefined | Constant::Poison) => {
                self.body.undefined(Width::W64)
            }
            Value::Constant(Constant::Null | Constant::Zero) => Operand::Constant(0),
            Value::Constant(Constant::Expression(kind)) => match self.expression(kind)?[..] {
                [part] => part,
                _ => return Err(self.refuse("a call of something like this")),
            },
            Value::Local(local) => {
                let function = self
                    .id
                    .map(|id| &self.lowering.module.functions[id.index()]);
                match function {
                    Some(function) => self.scalar_value(function.type_of(*local), callee)?,
                    None => return Err(self.refuse("a call of something like this")),
                }
            }
            _ => return Err(self.refuse("a call of something like this")),
        };
        let arguments = self.arguments(call)?;
        // A function type without parameters that is variadic comes from a declaration
        // without parameters, not from a variadic function.
        let fixed = match call
            .function_type
            .map(|id| self.lowering.module.type_of(id))
        {
            Some(Type::Function {
                parameters,
                variadic: true,
                ..
            }) if !parameters.is_empty() => Some(parameters.len()),
            _ => None,
        };
        let mut parts = Vec::new();
        let (named, extra) = match fixed {
            Some(fixed) if fixed <= arguments.len() => arguments.split_at(fixed),
            _ => (&arguments[..], &[][..]),
        };
        for argument in named {
            parts.extend(self.passed(argument, argument.passing)?);
        }
        if fixed.is_some() {
            parts.push(self.argument_area(named, extra)?);
        }
        let results = self.widths(call.result)?;
        Ok(self.emit_call(Callee::Pointer(pointer), parts, &results))
    }

    /// What is passed for an argument: for `byval`, the address of a copy.
    pub fn passed(&mut self, argument: &Argument<'m>, passing: Passing) -> Lowered<Vec<Operand>> {
        let of = match (passing, argument.passing) {
            (Passing::ByValue(of), _) | (_, Passing::ByValue(of)) => of,
            (Passing::Other(_), _) => return Err(self.refuse("an argument passed in this way")),
            _ => return Ok(argument.parts.clone()),
        };
        let Some(from) = argument.scalar() else {
            return Err(self.refuse("an argument of an unexpected type"));
        };
        let room = self.room(of)?;
        let copy = self.temporary(room.size, "argument");
        self.copy_memory(copy, from, room.size, room.align)?;
        Ok(vec![copy])
    }

    /// A call instruction; its results.
    pub fn emit_call(
        &mut self,
        callee: Callee,
        arguments: Vec<Operand>,
        results: &[Width],
    ) -> Vec<Operand> {
        let targets: Vec<RegisterId> = results
            .iter()
            .map(|width| self.body.register(*width))
            .collect();
        let parts = targets.iter().copied().map(Operand::Register).collect();
        self.body.push(Kind::Call {
            targets,
            callee,
            arguments,
        });
        parts
    }

    /// A function that does what a function of the library does, for its address.
    pub fn library_wrapper(&mut self, function: &'m Function) -> Lowered<usize> {
        let module = self.lowering.module;
        let name = &module.symbol(function.symbol).name;
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            let widths = self.widths(parameter.value_type)?;
            let parts = widths
                .iter()
                .map(|width| Operand::Register(self.body.register(*width)))
                .collect();
            arguments.push(Argument {
                value_type: parameter.value_type,
                parts,
                passing: parameter.passing,
                value: None,
            });
        }
        if function.variadic {
            self.area = Some(self.body.register(Width::W64));
        }
        let parameters = self.body.registers.len();
        self.body.block("entry");
        let result = self.widths(function.result)?;
        let Some(mut parts) = self.library(name, &arguments, &result)? else {
            return Err(self.lowering.unknown_function(name, None, self.site));
        };
        parts.truncate(result.len());
        for width in &result[parts.len()..] {
            parts.push(self.body.undefined(*width));
        }
        self.body.finish(program::Terminator::Return(parts));
        Ok(parameters)
    }
}

impl Lowering<'_> {
    /// The complaint about a function that is neither defined nor known.
    pub fn unknown_function(&mut self, name: &str, caller: Option<&str>, site: Site) -> Diagnostic {
        let message = match caller {
            Some(caller) => format!("`{caller}` calls `{name}`, which is not supported"),
            None => format!("the function `{name}` is not supported"),
        };
        let mut help = "`fencepost functions` lists what is supported".to_owned();
        if let Some(near) = nearest(name) {
            help += &format!("; did you mean `{near}`?");
        }
        let label = "the program does not define it".to_owned();
        self.spans.complain(site, message, label, Some(help))
    }
}

/// A function of the library with almost this name.
fn nearest(name: &str) -> Option<&'static str> {
    let limit = match name.len() {
        ..4 => return None,
        4..8 => 1,
        _ => 2,
    };
    let names = ROUTINES.iter().flat_map(|row| row.names.iter().copied());
    let near = names.map(|known| (strsim::levenshtein(name, known), known));
    near.filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
