//! From a data type and a test to a program.
//!
//! The program's `main` runs the initialisation and the initial operations, starts a thread
//! for each entry of the test, and joins them all. It is what this would be in C, with
//! `pthread_create` and `pthread_join`.

use super::copy::{Context, Copier};
use super::one_thread;
use super::{INITIALISATION, Invocation, Test, operations};
use ::program::{
    Access, Address, Block, Callee, Function, FunctionId, Instruction, InstructionKind as Kind,
    Object, ObjectId, ObjectKind, Observable, ObservedLocation, Operand, Program, Register,
    RegisterId, Routine, Span, Terminator, Thread, Width,
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
    /// Threads that do the same can be exchanged: for each two such threads in a row the
    /// columns in the order that they then have.
    pub swaps: Vec<Vec<usize>>,
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
    let mut draft = Draft::new(program, test)?;
    let handles = ObjectId::from(draft.objects.len());
    let object = handles_of(test.threads.len(), &draft.objects);
    draft.objects.push(object);
    let mut starts = Vec::new();
    for (index, calls) in draft.threads.iter().enumerate() {
        let name = format!("{}: {}", index + 1, thread_text(&test.threads[index]));
        let function = draft.copier.reserve();
        let code = thread_function(&name, calls, serial);
        draft.copier.define(function, code);
        starts.push(Address::of(ObjectId::from(draft.objects.len())));
        draft
            .objects
            .push(code_object(name, function, &draft.objects));
    }
    let main = main_function(&draft.initial, handles, &starts);
    Ok(draft.finish(main))
}

/// The serial client as a program of one thread, which chooses whose operation is next. It
/// observes the same as the [client] whose operations are atomic, but for [swaps](Client::swaps):
/// of threads that do the same, an earlier one is never behind. If an operation can tell which
/// thread it is in, there is none.
pub fn serial_client(program: &Program, test: &Test) -> Result<Option<Client>, ClientError> {
    let own = |object: &Object| object.kind == ObjectKind::PerThread;
    let mut code = program
        .functions
        .iter()
        .flat_map(|function| &function.blocks);
    let tells = |block: &Block| {
        block.instructions.iter().any(|instruction| {
            let Kind::Call { callee, .. } = instruction.kind else {
                return false;
            };
            matches!(
                callee,
                Callee::Routine(
                    Routine::ThreadSelf
                        | Routine::KeyCreate
                        | Routine::ErrorNumber
                        | Routine::Random
                )
            )
        })
    };
    if program.objects.iter().any(own) || code.any(tells) {
        return Ok(None);
    }
    let draft = Draft::new(program, test)?;
    let main = one_thread::main_function(&draft.initial, &draft.threads, &alike(test));
    Ok(Some(draft.finish(main)))
}

/// A client in the making: copies of its operations, in their order.
struct Draft<'p> {
    test: &'p Test,
    program: &'p Program,
    copier: Copier<'p>,
    main: FunctionId,
    objects: Vec<Object>,
    initial: Vec<FunctionId>,
    threads: Vec<Vec<FunctionId>>,
}

impl<'p> Draft<'p> {
    fn new(program: &'p Program, test: &'p Test) -> Result<Self, ClientError> {
        let mut copier = Copier::new(program);
        let main = copier.reserve();
        let mut initial = Vec::new();
        if let Some(function) = program.function_named(INITIALISATION) {
            check_parameters(program, function)?;
            let context = Context {
                observed: None,
                primed: false,
            };
            initial.push(copier.copy(function, None, &context)?);
        }
        let mut threads = vec![Vec::new(); test.threads.len()];
        for (thread, position, invocation) in test.invocations() {
            let copy = invoke(program, &mut copier, (thread, position), invocation)?;
            match thread.checked_sub(1) {
                None => initial.push(copy),
                Some(index) => threads[index].push(copy),
            }
        }
        let mut objects = program.objects.clone();
        copier.copy_code(&mut objects)?;
        Ok(Draft {
            test,
            program,
            copier,
            main,
            objects,
            initial,
            threads,
        })
    }

    fn finish(mut self, main: Function) -> Client {
        self.copier.define(self.main, main);
        let columns = std::mem::take(&mut self.copier.columns);
        let program = Program {
            name: format!("{} {}", self.program.name, self.test),
            objects: self.objects,
            functions: self.copier.into_functions(),
            threads: vec![Thread {
                name: "main".to_owned(),
                function: self.main,
                initial: Vec::new(),
            }],
            observed: columns.iter().map(observable).collect(),
            ..self.program.clone()
        };
        debug_assert_eq!(program.validate(), Ok(()));
        Client {
            swaps: swaps(self.test, &columns),
            program,
            columns,
        }
    }
}

/// For each thread the last one before it that does the same.
fn alike(test: &Test) -> Vec<Option<usize>> {
    let threads = &test.threads;
    (0..threads.len())
        .map(|thread| {
            (0..thread)
                .rev()
                .find(|&other| threads[other] == threads[thread])
        })
        .collect()
}

/// The columns, with threads that do the same exchanged.
fn swaps(test: &Test, columns: &[Column]) -> Vec<Vec<usize>> {
    let pairs = alike(test).into_iter().enumerate();
    let pairs = pairs.filter_map(|(thread, other)| Some((thread + 1, other? + 1)));
    let swapped = |(a, b): (usize, usize)| {
        let place = |column: &Column| {
            let thread = match column.thread {
                thread if thread == a => b,
                thread if thread == b => a,
                thread => thread,
            };
            let mut others = columns.iter();
            others.position(|other| {
                other.thread == thread
                    && other.position == column.position
                    && other.label == column.label
            })
        };
        columns.iter().map(place).collect::<Option<Vec<usize>>>()
    };
    pairs.filter_map(swapped).collect()
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
        location: ObservedLocation::Observation,
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
