//! From a data type and a test to a program.
//!
//! The program's `main` runs the initialisation and the initial operations, starts a thread
//! for each entry of the test, and joins them all. It is what this would be in C, with
//! `pthread_create` and `pthread_join`.

use super::copy::{Context, Copier};
use super::{INITIALISATION, Invocation, Test, operations};
use ::program::{
    Access, Address, Block, Callee, Function, FunctionId, Instruction, InstructionKind as Kind,
    Object, ObjectId, ObjectKind, Observable, Operand, Place, Program, Register, RegisterId,
    Routine, Span, Terminator, Thread, Width,
};
use thiserror::Error;

/// Something that is observed of an invocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// Its name among the program's observables, such as `1.2 d found`.
    pub name: String,
    /// The thread, from 1; 0 for the initial operations.
    pub thread: usize,
    /// The invocation's position in its thread, from 1.
    pub position: usize,
    /// The operation's name.
    pub operation: String,
    /// What it is called in the operation.
    pub label: String,
    /// It is an argument (`fp_argument`), not a result.
    pub argument: bool,
}

/// A client of a data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// An ordinary C program.
    pub program: Program,
    /// What is observed, in the order of [`Program::observed`].
    pub columns: Vec<Column>,
}

/// Why there is no client.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClientError {
    /// The test names an operation that the program does not have.
    #[error("there is no operation `{0}`")]
    NoOperation(String),
    /// An operation, or the initialisation, is no `void f(void)`.
    #[error("`{0}` must have no parameters")]
    Parameters(String),
    /// A label is an argument and a result of one operation.
    #[error("operation `{operation}` has both an argument and a result called `{label}`")]
    TwoKinds {
        /// The operation.
        operation: String,
        /// The label.
        label: String,
    },
    /// Which invocation such a function belongs to is not known.
    #[error(
        "`{0}` calls fp_result, fp_argument, fp_observe or fp_retry, and its address is used; \
         operations must call such functions by their names"
    )]
    ByAddress(String),
}

/// The client of a program's operations that does what a test says. With `serial` each
/// operation of a thread is an atomic section; the initial ones run alone anyway.
pub fn client(program: &Program, test: &Test, serial: bool) -> Result<Client, ClientError> {
    let mut copier = Copier::new(program);
    let main = copier.reserve();
    let mut calls = Vec::new();
    if let Some(function) = program.function_named(INITIALISATION) {
        check_parameters(program, function)?;
        let context = Context {
            observed: None,
            primed: false,
        };
        calls.push(copier.copy(function, None, &context)?);
    }
    let mut sequences = vec![calls];
    sequences.resize(test.threads.len() + 1, Vec::new());
    for (thread, position, invocation) in test.invocations() {
        let copy = invoke(program, &mut copier, (thread, position), invocation)?;
        sequences[thread].push(copy);
    }
    let mut objects = program.objects.clone();
    copier.copy_code(&mut objects)?;
    let mut sequences = sequences.into_iter();
    let initial = sequences.next().unwrap_or_default();
    let handles = ObjectId::from(objects.len());
    objects.push(handles_of(test.threads.len(), &objects));
    let mut starts = Vec::new();
    for (index, calls) in sequences.enumerate() {
        let name = format!("{}: {}", index + 1, thread_text(&test.threads[index]));
        let function = copier.reserve();
        copier.define(function, thread_function(&name, &calls, serial));
        starts.push(Address::of(ObjectId::from(objects.len())));
        objects.push(code_object(name, function, &objects));
    }
    copier.define(main, main_function(&initial, handles, &starts));
    let columns = std::mem::take(&mut copier.columns);
    let program = Program {
        name: format!("{} {test}", program.name),
        objects,
        functions: copier.into_functions(),
        threads: vec![Thread {
            name: "main".to_owned(),
            function: main,
            initial: Vec::new(),
        }],
        observed: columns.iter().map(observable).collect(),
        ..program.clone()
    };
    debug_assert_eq!(program.validate(), Ok(()));
    Ok(Client { program, columns })
}

/// The copy of an operation that an invocation runs.
fn invoke(
    program: &Program,
    copier: &mut Copier<'_>,
    (thread, position): (usize, usize),
    invocation: &Invocation,
) -> Result<FunctionId, ClientError> {
    let mut declared = operations(program).into_iter();
    let Some(operation) = declared.find(|known| known.name == invocation.operation) else {
        return Err(ClientError::NoOperation(invocation.operation.clone()));
    };
    check_parameters(program, operation.function)?;
    let name = format!("{thread}.{position} {invocation}");
    let context = Context {
        observed: Some((thread, position, operation.name)),
        primed: invocation.primed,
    };
    copier.copy(operation.function, Some(name), &context)
}

fn check_parameters(program: &Program, function: FunctionId) -> Result<(), ClientError> {
    let function = &program.functions[function.index()];
    match function.parameters {
        0 => Ok(()),
        _ => Err(ClientError::Parameters(function.name.clone())),
    }
}

fn thread_text(invocations: &[Invocation]) -> String {
    let texts: Vec<String> = invocations.iter().map(Invocation::to_string).collect();
    texts.join(" ")
}

fn observable(column: &Column) -> Observable {
    Observable {
        name: column.name.clone(),
        place: Place::Observation,
        width: Width::W64,
        signed: true,
    }
}

/// Where `pthread_create` puts its handles.
fn handles_of(threads: usize, objects: &[Object]) -> Object {
    Object {
        name: free_name("threads".to_owned(), objects),
        cell: Width::W64,
        initial: vec![0; threads],
        zeros: 0,
        kind: ObjectKind::Shared,
        layout: None,
        signed: false,
        span: Span::NOWHERE,
    }
}

fn code_object(name: String, function: FunctionId, objects: &[Object]) -> Object {
    Object {
        name: free_name(name, objects),
        cell: Width::W8,
        initial: Vec::new(),
        zeros: 0,
        kind: ObjectKind::Code(function),
        layout: None,
        signed: false,
        span: Span::NOWHERE,
    }
}

/// A name that no object has yet.
fn free_name(wanted: String, objects: &[Object]) -> String {
    let mut name = wanted.clone();
    let mut number = 2;
    while objects.iter().any(|object| object.name == name) {
        name = format!("{wanted} ({number})");
        number += 1;
    }
    name
}

/// Code in one block.
#[derive(Default)]
struct Straight(Vec<Instruction>);

impl Straight {
    fn push(&mut self, kind: Kind) {
        let span = Span::NOWHERE;
        self.0.push(Instruction { kind, span });
    }

    fn call(&mut self, callee: Callee, arguments: Vec<Operand>) {
        self.push(Kind::Call {
            targets: Vec::new(),
            callee,
            arguments,
        });
    }

    /// The function that runs the code and returns 0.
    fn into_function(self, name: &str, parameters: u32, registers: Vec<Register>) -> Function {
        Function {
            name: name.to_owned(),
            parameters,
            registers,
            blocks: vec![Block {
                label: "entry".to_owned(),
                instructions: self.0,
                terminator: Terminator::Return(vec![Operand::Constant(0)]),
                terminator_span: Span::NOWHERE,
            }],
        }
    }
}

fn thread_function(name: &str, calls: &[FunctionId], serial: bool) -> Function {
    let mut code = Straight::default();
    for call in calls {
        if serial {
            code.push(Kind::AtomicBegin);
        }
        code.call(Callee::Function(*call), Vec::new());
        if serial {
            code.push(Kind::AtomicEnd);
        }
    }
    let parameter = Register {
        name: "argument".to_owned(),
        width: Width::W64,
    };
    code.into_function(name, 1, vec![parameter])
}

fn main_function(initial: &[FunctionId], handles: ObjectId, starts: &[Address]) -> Function {
    let mut code = Straight::default();
    for call in initial {
        code.call(Callee::Function(*call), Vec::new());
    }
    let nothing = Operand::Constant(0);
    let handle = |index: usize| {
        Operand::Address(Address {
            object: handles,
            offset: index as u32 * Width::W64.bytes(),
        })
    };
    for (index, start) in starts.iter().enumerate() {
        let arguments = vec![handle(index), nothing, Operand::Address(*start), nothing];
        code.call(Callee::Routine(Routine::ThreadCreate), arguments);
    }
    let mut registers = Vec::new();
    for index in 0..starts.len() {
        let target = RegisterId::from(registers.len());
        registers.push(Register {
            name: format!("thread{}", index + 1),
            width: Width::W64,
        });
        code.push(Kind::Load {
            target,
            address: handle(index),
            width: Width::W64,
            access: Access::plain(Width::W64.bytes().into()),
        });
        let arguments = vec![Operand::Register(target), nothing];
        code.call(Callee::Routine(Routine::ThreadJoin), arguments);
    }
    code.into_function("main", 0, registers)
}
