//! Threads as automata over symbolic steps.
//!
//! A thread rests before each access and each fence, at its end, and where a loop that accesses nothing comes round. An [`Edge`] leads from
//! one such [`Point`] to the next: it does the access, then computes and branches as the thread does, along one path. What it
//! needs is its guard, and what it computes its updates, over the registers at the point that it starts from. Addresses are decided on
//! arrival: a point before an access knows its cell, so there is a path for each cell that the address can be. A path on which an assertion
//! fails, or on which the address is that of no cell, ends in what is wrong.
//!
//! Invariants: the guards of the edges from a point exclude each other up to choices; where the edges do something that others can
//! see, one of the guards always holds, since a failed assumption leads to a point with no edges (what the edge did before it counts).
//!
//! An address that is a known one plus something is taken to lie in the object of the known one, or to be wrong, as C has it.

mod arithmetic;
mod arrival;
mod loops;

use super::solver::Solver;
use super::term::{Term, Terms, Variable};
use loops::{cuts, mark_loops, rests_at};
use machine::{AccessEffect, Cell, Code, Executable, Op};
use memory::Model;
use program::{Binary, Operand, RegisterId, Span, Width, Word};
use rustc_hash::FxHashMap;
use std::io;

/// Paths from one point at most.
const MOST_PATHS: usize = 400;
/// A choice among this many values is a path for each of them.
const FEW_CHOICES: u32 = 4;

/// What an edge does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Skip,
    /// Reads a cell.
    Load(Cell),
    /// Writes a term to a cell.
    Store(Cell, Term),
    /// Reads a cell and perhaps writes a term to it, in one step.
    Update(Cell, Option<Term>),
    /// Waits until the thread's stores are in memory.
    Fence,
}

/// What is wrong at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// An assertion fails.
    Assertion(Span),
    /// The term is no address of a cell.
    BadAccess(Span, Term),
}

/// Where a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// At a point.
    Point(u32),
    /// In something wrong.
    Wrong(Wrong),
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leads.
    pub target: Target,
    /// What it does to memory.
    pub action: Action,
    /// When it can be taken.
    pub guard: Term,
    /// What registers are after it, as far as they differ and matter.
    pub updates: Vec<(Variable, Term)>,
    /// The instruction that it begins with.
    pub span: Span,
}

/// Where a thread rests.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// What the thread may do next.
    pub edges: Vec<Edge>,
    /// The registers that matter here.
    pub live: Vec<Variable>,
    /// One of the edges can always be taken, as far as memory and buffers let it.
    pub total: bool,
    /// Every cycle has such a point.
    pub comes_round: bool,
}

/// A thread.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// It starts at the first point.
    pub points: Vec<Point>,
}

/// Why there are no symbolic traces of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTraces {
    /// An operation that terms do not have, or too many paths.
    Unsupported,
    /// The solver does not work.
    Solver,
}

impl From<io::Error> for NoTraces {
    fn from(_: io::Error) -> Self {
        NoTraces::Solver
    }
}

/// Where a thread rests: before an operation, with the cell that it accesses; none where it is stuck.
type Rest = Option<(u32, Option<Cell>)>;

/// One path while it is followed.
#[derive(Clone)]
struct Path {
    pc: u32,
    guard: Term,
    registers: Vec<Term>,
    choices: u32,
}

struct Builder<'e> {
    thread: u16,
    code: &'e Code,
    executable: &'e Executable,
    model: Model,
    terms: &'e mut Terms,
    solver: &'e mut Solver,
    rests: Vec<Rest>,
    numbers: FxHashMap<Rest, u32>,
    /// Operations at which a loop comes round that accesses nothing.
    cuts: Vec<bool>,
    /// An assumption may end a path, and there is no edge for that.
    gives_up: bool,
}

/// The automaton of each thread.
pub fn automata(
    executable: &Executable,
    model: Model,
    terms: &mut Terms,
    solver: &mut Solver,
) -> Result<Vec<Automaton>, NoTraces> {
    let threads = executable.threads.iter().enumerate();
    let automata = threads.map(|(thread, code)| {
        let builder = Builder {
            thread: thread as u16,
            code,
            executable,
            model,
            terms,
            solver,
            rests: Vec::new(),
            numbers: FxHashMap::default(),
            cuts: cuts(code, model),
            gives_up: false,
        };
        builder.build()
    });
    automata.collect()
}

impl Builder<'_> {
    fn build(mut self) -> Result<Automaton, NoTraces> {
        let mut points = Vec::new();
        // The start, from which registers are known.
        self.rests.push(None);
        let initial = self.code.initial.iter().zip(&self.code.widths);
        let registers: Vec<(Word, Width)> = initial.map(|(word, width)| (*word, *width)).collect();
        let registers = registers.into_iter();
        let registers = registers
            .map(|(word, width)| self.terms.constant(word, width))
            .collect();
        let start = Path {
            pc: 0,
            guard: self.terms.truth(true),
            registers,
            choices: 0,
        };
        let edges = self.edges(Action::Skip, Span::NOWHERE, start, true)?;
        points.push(Point {
            edges,
            live: Vec::new(),
            total: true,
            comes_round: false,
        });
        while let Some(&rest) = self.rests.get(points.len()) {
            let point = match rest {
                Some((pc, cell)) => self.point(pc, cell)?,
                None => Point::default(),
            };
            points.push(point);
        }
        mark_loops(&mut points);
        Ok(Automaton { points })
    }

    fn point(&mut self, pc: u32, cell: Option<Cell>) -> Result<Point, NoTraces> {
        let code = self.code;
        self.gives_up = false;
        let count = code.widths.len();
        let registers = (0..count).map(|register| self.register(register.into()));
        let registers: Vec<Term> = registers.collect();
        let path = |pc, guard, registers: &[Term]| Path {
            pc,
            guard,
            registers: registers.to_vec(),
            choices: 0,
        };
        let always = self.terms.truth(true);
        let span = code.spans[pc as usize];
        let edges = match (&code.ops[pc as usize], cell) {
            (Op::End, _) => Vec::new(),
            (Op::Fence(_), _) => {
                self.edges(Action::Fence, span, path(pc + 1, always, &registers), false)?
            }
            (Op::Access(access), Some(cell)) => {
                let operands = code.operands[pc as usize].clone();
                let operands: Vec<Term> = operands
                    .iter()
                    .map(|operand| self.operand(operand, &registers))
                    .collect();
                let width = access.width;
                let read = self.terms.variable(Variable::Read(width), width);
                let mut after = registers.clone();
                if let Some(target) = access.target() {
                    after[target.index()] = self.terms.resize(read, code.widths[target.index()]);
                }
                match access.effect {
                    AccessEffect::Load(_) => self.edges(
                        Action::Load(cell),
                        span,
                        path(pc + 1, always, &after),
                        false,
                    )?,
                    AccessEffect::Store => {
                        let value = self.terms.resize(operands[1], width);
                        let action = Action::Store(cell, value);
                        self.edges(action, span, path(pc + 1, always, &after), true)?
                    }
                    AccessEffect::Update(_, operation) => {
                        let operand = self.terms.resize(operands[1], width);
                        let written = self.updated(operation, read, operand)?;
                        let action = Action::Update(cell, Some(written));
                        self.edges(action, span, path(pc + 1, always, &after), true)?
                    }
                    AccessEffect::CompareExchange(_) => {
                        let expected = self.terms.resize(operands[1], width);
                        let desired = self.terms.resize(operands[2], width);
                        let found = self.terms.equal(read, expected);
                        let missed = self.terms.not(found);
                        let action = Action::Update(cell, Some(desired));
                        let mut edges =
                            self.edges(action, span, path(pc + 1, found, &after), true)?;
                        let action = Action::Update(cell, None);
                        edges.extend(self.edges(
                            action,
                            span,
                            path(pc + 1, missed, &after),
                            true,
                        )?);
                        edges
                    }
                }
            }
            // Where a loop comes round.
            _ => self.edges(Action::Skip, span, path(pc, always, &registers), true)?,
        };
        Ok(Point {
            edges,
            live: self.live(pc, cell),
            total: !self.gives_up,
            comes_round: false,
        })
    }

    fn register(&mut self, register: RegisterId) -> Term {
        let width = self.code.widths[register.index()];
        let variable = Variable::Register(self.thread, register.0);
        self.terms.variable(variable, width)
    }

    /// The registers that matter at a point. The address of an access to a known cell does not.
    fn live(&self, pc: u32, cell: Option<Cell>) -> Vec<Variable> {
        let code = self.code;
        let dead = &code.dead[pc as usize];
        let address = match (
            &code.ops[pc as usize],
            code.operands[pc as usize].split_first(),
        ) {
            (Op::Access(access), Some((Operand::Register(address), others))) if cell.is_some() => {
                let after = access.target() == Some(*address)
                    || code.dead[pc as usize + 1].contains(address);
                let again = others.contains(&Operand::Register(*address));
                (after && !again).then_some(*address)
            }
            _ => None,
        };
        let registers = (0..code.widths.len()).map(RegisterId::from);
        registers
            .filter(|register| !dead.contains(register) && address != Some(*register))
            .map(|register| Variable::Register(self.thread, register.0))
            .collect()
    }

    fn number(&mut self, rest: Rest) -> u32 {
        if let Some(known) = self.numbers.get(&rest) {
            return *known;
        }
        let number = self.rests.len() as u32;
        self.rests.push(rest);
        self.numbers.insert(rest, number);
        number
    }

    /// The edges of an action, along every path behind it. A path that an assumption ends is there if the action counts without the rest.
    fn edges(
        &mut self,
        action: Action,
        span: Span,
        start: Path,
        counts: bool,
    ) -> Result<Vec<Edge>, NoTraces> {
        let mut edges = Vec::new();
        let mut work = vec![(start, true)];
        let mut paths = 0;
        while let Some((path, first)) = work.pop() {
            paths += 1;
            if paths > 100 * MOST_PATHS || edges.len() > MOST_PATHS {
                return Err(NoTraces::Unsupported);
            }
            if self.terms.as_constant(path.guard) == Some(0) {
                continue;
            }
            let pc = path.pc;
            let at = pc as usize;
            if rests_at(self.code, self.model, pc) || (self.cuts[at] && !first) {
                self.arrive(&path, action, span, &mut edges)?;
                continue;
            }
            let operands = self.code.operands[at].clone();
            let operands: Vec<Term> = operands
                .iter()
                .map(|operand| self.operand(operand, &path.registers))
                .collect();
            let on = |path: &Path, pc, guard| Path {
                pc,
                guard,
                ..path.clone()
            };
            match self.code.ops[at].clone() {
                Op::Assign(target, expression) => {
                    let width = self.code.widths[target.index()];
                    let value = self.expression(&expression, &operands, width)?;
                    let mut next = on(&path, pc + 1, path.guard);
                    next.registers[target.index()] = value;
                    work.push((next, false));
                }
                Op::Jump(target) => work.push((on(&path, target, path.guard), false)),
                Op::Fence(_) => work.push((on(&path, pc + 1, path.guard), false)),
                Op::Branch(then, otherwise) => {
                    let (yes, no) = self.both(path.guard, operands[0]);
                    work.push((on(&path, then, yes), false));
                    work.push((on(&path, otherwise, no), false));
                }
                Op::Assert => {
                    let (yes, no) = self.both(path.guard, operands[0]);
                    let wrong = Wrong::Assertion(self.code.spans[at]);
                    self.push(
                        &mut edges,
                        Target::Wrong(wrong),
                        action,
                        span,
                        on(&path, pc, no),
                    );
                    work.push((on(&path, pc + 1, yes), false));
                }
                Op::Assume => {
                    let (yes, no) = self.both(path.guard, operands[0]);
                    if counts {
                        let stuck = Target::Point(self.number(None));
                        self.push(&mut edges, stuck, action, span, on(&path, pc, no));
                    } else {
                        self.gives_up = true;
                    }
                    work.push((on(&path, pc + 1, yes), false));
                }
                Op::Choose(target, count) => {
                    let width = self.code.widths[target.index()];
                    if count <= FEW_CHOICES {
                        for value in 0..count {
                            let mut next = on(&path, pc + 1, path.guard);
                            next.registers[target.index()] =
                                self.terms.constant(value.into(), width);
                            work.push((next, false));
                        }
                    } else {
                        let any = Variable::Choice(path.choices, width);
                        let any = self.terms.variable(any, width);
                        let wide = self.terms.resize(any, Width::W64);
                        let below = self.terms.constant(count.into(), Width::W64);
                        let below = self.terms.binary(Binary::Ult, wide, below);
                        let mut next = on(&path, pc + 1, self.terms.and(path.guard, below));
                        next.registers[target.index()] = any;
                        next.choices += 1;
                        work.push((next, false));
                    }
                }
                Op::Access(_) | Op::End => {}
            }
        }
        Ok(edges)
    }

    fn both(&mut self, guard: Term, condition: Term) -> (Term, Term) {
        let yes = self.terms.is_true(condition);
        let no = self.terms.not(yes);
        (self.terms.and(guard, yes), self.terms.and(guard, no))
    }
}
