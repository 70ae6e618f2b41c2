//! The literal axioms as a judge of programs that are only accesses.
//!
//! A sketch of loads, stores, read-modify-writes, fences and branches is also made a program without C, clang, calls or
//! process: threads over cells, with the fences that its memory orders become. The crate `oracle` lists its
//! outcomes from the axioms. What it shares with what it judges is the table of those fences.

use crate::engines::{Answer, Engine, Status};
use crate::judge::strength;
use crate::sketch::{
    CELLS, CellType, End, Fence, Location, Operator, Order, Sketch, Spelling, Statement, Storage,
    Value, each,
};
use memory::{Model, c11};
use oracle::OracleModel;
use program::{
    Access, AccessKind, Binary, Expression, FunctionBuilder, InstructionKind, MemoryOrder,
    ObjectId, Operand, Orderings, Program, ProgramBuilder, RegisterId, Terminator, UpdateOp, Width,
};
use std::collections::BTreeSet;

/// Accesses beyond which the axioms take too long.
const MOST_ACCESSES: usize = 6;
/// Cells are wide enough that nothing that a C type would cut off is.
const WIDTH: Width = Width::W64;

/// What the axioms say under each of the models, if they can say it.
pub fn ask(sketch: &Sketch, models: &[Model]) -> Vec<Answer> {
    let Some((program, exchanges)) = program(sketch) else {
        return Vec::new();
    };
    let mut answers = Vec::new();
    for &model in models {
        // What a compare-and-exchange that fails orders is not the axioms' to say.
        if exchanges && strength(model) > strength(Model::Pso) {
            continue;
        }
        let outcomes = oracle::outcomes(&program, OracleModel::ALL[strength(model)]);
        let mut order: Vec<usize> = (0..program.observed.len()).collect();
        order.sort_by_key(|index| &program.observed[*index].name);
        let signed = |word: u64| i128::from(word as i64);
        let outcomes: BTreeSet<Vec<i128>> = outcomes
            .into_iter()
            .map(|values| order.iter().map(|index| signed(values[*index])).collect())
            .collect();
        answers.push(Answer {
            engine: Engine::Axioms,
            model,
            status: Status::Complete,
            faults: BTreeSet::new(),
            deadlock: false,
            outcomes,
            all_outcomes: true,
            redundant: 0,
            not_sequential: 0,
        });
    }
    answers
}

/// The program without C, and whether it has compare-and-exchanges.
fn program(sketch: &Sketch) -> Option<(Program, bool)> {
    let whole = sketch.end == End::Join && sketch.before.is_empty() && sketch.after.is_empty();
    let wide = matches!(sketch.cell, CellType::Int | CellType::Long);
    let (mut accesses, mut known, mut exchanges) = (0, true, false);
    for list in &sketch.threads {
        each(list, &mut |statement| {
            statement.locations(&mut |at| known &= at.index.is_none());
            accesses += 1;
            match statement {
                Statement::Load { .. } | Statement::Store { .. } | Statement::Update { .. } => {}
                Statement::Fence(_) | Statement::If { .. } => accesses -= 1,
                Statement::CompareExchange {
                    weak,
                    success,
                    failure,
                    ..
                } => {
                    exchanges = true;
                    known &= !weak && [*success, *failure] == [Order::Relaxed; 2];
                }
                _ => known = false,
            }
        });
    }
    // Pointers that are loaded on the way would be accesses, too.
    let direct =
        sketch.form.storage == Storage::Static && sketch.form.spelling != Spelling::Pointer;
    if !(whole && wide && known && direct && accesses <= MOST_ACCESSES) {
        return None;
    }
    let mut builder = ProgramBuilder::new("axioms");
    let cells: Vec<ObjectId> = (0..CELLS)
        .map(|cell| {
            let initial = sketch.initial[usize::from(cell)];
            builder.object(&format!("c{cell}"), WIDTH, initial.into())
        })
        .collect();
    for list in &sketch.threads {
        let mut thread = ThreadMaker {
            function: builder.thread(),
            cells: &cells,
            blocks: 0,
        };
        thread.statements(list);
        thread.function.finish();
    }
    observe(&mut builder, sketch);
    Some((builder.finish().ok()?, exchanges))
}

/// Observes what the C program does, under the same names.
fn observe(builder: &mut ProgramBuilder, sketch: &Sketch) {
    let mut used = BTreeSet::new();
    for (thread, list) in sketch.threads.iter().enumerate() {
        let mut written = BTreeSet::new();
        each(list, &mut |statement| {
            written.extend(statement.target());
            statement.locations(&mut |at| {
                used.insert(at.cell % CELLS);
            });
        });
        for register in written {
            let function = builder.program().function_of(thread.into());
            let Some(id) = function.register_named(&format!("r{register}")) else {
                continue;
            };
            let mut observable = builder.program().observable_register(thread.into(), id);
            observable.name = format!("{thread}r{register}");
            builder.observe(observable);
        }
    }
    for cell in used {
        let mut observable = builder
            .program()
            .observable_cell(ObjectId::from(usize::from(cell)), 0);
        observable.name = format!("c{cell}");
        builder.observe(observable);
    }
}

struct ThreadMaker<'a> {
    function: FunctionBuilder<'a>,
    cells: &'a [ObjectId],
    blocks: usize,
}

fn memory_order(order: Order) -> MemoryOrder {
    match order {
        Order::Plain => MemoryOrder::Plain,
        Order::Relaxed => MemoryOrder::Relaxed,
        Order::Acquire => MemoryOrder::Acquire,
        Order::Release => MemoryOrder::Release,
        Order::AcquireRelease => MemoryOrder::AcquireRelease,
        Order::Sequential => MemoryOrder::SequentiallyConsistent,
    }
}

fn operation_of(operator: Operator) -> UpdateOp {
    match operator {
        Operator::Exchange => UpdateOp::Exchange,
        Operator::Add => UpdateOp::Add,
        Operator::Subtract => UpdateOp::Sub,
        Operator::And => UpdateOp::And,
        Operator::Or => UpdateOp::Or,
        Operator::Xor => UpdateOp::Xor,
        Operator::Nand => UpdateOp::Nand,
    }
}

/// What a fence orders.
fn orderings_of(fence: Fence) -> Orderings {
    match fence {
        Fence::Thread(order) => c11::fence(memory_order(order)),
        Fence::Signal => Orderings::NONE,
        Fence::Sync => Orderings::ALL,
        Fence::Kinds(kinds) => kinds_of(kinds.max(1)),
        Fence::Assembly(which) => match which % 3 {
            0 => Orderings::ALL,
            1 => Orderings::STORE_STORE,
            _ => Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE),
        },
    }
}

impl ThreadMaker<'_> {
    fn register(&mut self, number: u8) -> RegisterId {
        self.function.register(&format!("r{number}"), WIDTH)
    }

    fn value(&mut self, value: Value) -> Operand {
        let constant = Operand::Constant(value.constant.into());
        let Some(register) = value.register else {
            return constant;
        };
        let register = self.register(register);
        let sum = self.function.register("sum", WIDTH);
        let sum_of = Expression::Binary(Binary::Add, WIDTH, Operand::Register(register), constant);
        self.function.assign(sum, sum_of);
        Operand::Register(sum)
    }

    fn cell(&self, at: Location) -> Operand {
        self.cells[usize::from(at.cell % CELLS)].into()
    }

    /// An access with the fences of its order around it.
    fn ordered(&mut self, kind: AccessKind, order: Order, access: InstructionKind) {
        let (before, after) = c11::fences(kind, memory_order(order));
        self.fence(before);
        self.function.push(access);
        self.fence(after);
    }

    fn fence(&mut self, orderings: Orderings) {
        if !orderings.is_empty() {
            self.function.fence(orderings);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let (width, access) = (WIDTH, Access::default());
        match statement {
            Statement::Load { to, at, order } => {
                let (target, address) = (self.register(*to), self.cell(*at));
                let load = InstructionKind::Load {
                    target,
                    address,
                    width,
                    access,
                };
                self.ordered(AccessKind::LOAD, *order, load);
            }
            Statement::Store { at, value, order } => {
                let (value, address) = (self.value(*value), self.cell(*at));
                let store = InstructionKind::Store {
                    address,
                    value,
                    width,
                    access,
                };
                self.ordered(AccessKind::STORE, *order, store);
            }
            Statement::Update {
                to,
                operator,
                at,
                value,
                order,
            } => {
                let (operand, target) = (self.value(*value), self.register(*to));
                let update = InstructionKind::Update {
                    target,
                    operation: operation_of(*operator),
                    address: self.cell(*at),
                    operand,
                    width,
                    access,
                };
                self.ordered(AccessKind::UPDATE, *order, update);
            }
            Statement::CompareExchange {
                to,
                at,
                expected,
                desired,
                ..
            } => self.exchange(*to, *at, *expected, *desired),
            Statement::Fence(fence) => self.fence(orderings_of(*fence)),
            Statement::If {
                register,
                equal,
                constant,
                then,
                otherwise,
            } => self.branch(*register, (*equal, *constant), then, otherwise),
            Statement::Repeat { .. }
            | Statement::Await { .. }
            | Statement::Stable { .. }
            | Statement::Insist { .. }
            | Statement::Retry { .. }
            | Statement::Spin { .. }
            | Statement::Guarded { .. }
            | Statement::Section { .. }
            | Statement::Check { .. }
            | Statement::Start { .. }
            | Statement::Snippet { .. } => {}
        }
    }

    fn exchange(&mut self, to: u8, at: Location, expected: Value, desired: Value) {
        let expected = match self.value(expected) {
            Operand::Register(sum) => {
                let kept = self.function.register("expected", WIDTH);
                self.function
                    .assign(kept, Expression::Copy(Operand::Register(sum)));
                Operand::Register(kept)
            }
            other => other,
        };
        let desired = self.value(desired);
        let found = self.function.register("found", WIDTH);
        let exchange = InstructionKind::CompareExchange {
            target: found,
            address: self.cell(at),
            expected,
            desired,
            width: WIDTH,
            access: Access::default(),
            failure: MemoryOrder::Relaxed,
            weak: false,
            succeeded: None,
        };
        self.function.push(exchange);
        let worked = self.function.register("worked", Width::BIT);
        let found = Operand::Register(found);
        let equal = Expression::Binary(Binary::Eq, WIDTH, found, expected);
        self.function.assign(worked, equal);
        let more = self.function.register("more", WIDTH);
        let sixteen = Expression::Binary(Binary::Add, WIDTH, found, Operand::Constant(16));
        self.function.assign(more, sixteen);
        let target = self.register(to);
        let result = Expression::Select(Operand::Register(worked), Operand::Register(more), found);
        self.function.assign(target, result);
    }

    fn branch(
        &mut self,
        register: u8,
        (equal, constant): (bool, u8),
        then: &[Statement],
        otherwise: &[Statement],
    ) {
        self.blocks += 1;
        let number = self.blocks;
        let register = self.register(register);
        let test = self.function.register("test", Width::BIT);
        let same = Expression::Binary(
            Binary::Eq,
            WIDTH,
            Operand::Register(register),
            Operand::Constant(constant.into()),
        );
        self.function.assign(test, same);
        let [first, second, end] = ["then", "otherwise", "end"]
            .map(|name| self.function.block(&format!("{name}{number}")));
        let (yes, no) = if equal {
            (first, second)
        } else {
            (second, first)
        };
        self.function.branch(Operand::Register(test), yes, no);
        self.function.go_to(first);
        self.statements(then);
        self.function.terminate(Terminator::Jump(end));
        self.function.go_to(second);
        self.statements(otherwise);
        self.function.go_to(end);
    }
}

fn kinds_of(kinds: u8) -> Orderings {
    let all = [
        Orderings::LOAD_LOAD,
        Orderings::LOAD_STORE,
        Orderings::STORE_LOAD,
        Orderings::STORE_STORE,
    ];
    let chosen = all.into_iter().enumerate();
    let chosen = chosen.filter(|(bit, _)| kinds & (1 << bit) != 0);
    chosen.fold(Orderings::NONE, |sum, (_, kind)| sum.union(kind))
}
