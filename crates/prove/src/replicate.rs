//! Any number of threads that run the same function.
//!
//! Threads of the program that start in a function which is replicated have any number of threads like them, with the same argument. That is decided by the
//! over-approximation and the backward search for any number of threads; what is wrong is then shown with the smallest number that shows it, by systems in which the copies are written out.
//!
//! Copies of a thread are alike, so a thread that is replicated must have nothing of its own that others can tell: no locals in memory, no handle, no locks that know
//! their owner, no threads that it starts. Of the library it may call what does nothing but fail or choose. Nobody may join threads.

mod copies;

pub use copies::CopiesSearch;

use crate::automaton::{Automaton, Event, State, StateId, System, Transition};
use crate::bounded::{Bounded, BoundedSearch};
use crate::dual::{AnyNumber, AnyNumberSearch};
use crate::forward::Views;
use crate::goal::Goal;
use crate::portfolio::{By, Decided, Decision, decide};
use control::{Control, Stop};
use memory::{Buffering, Model};
use program::{
    Callee, Class, FunctionId, InstructionKind as Kind, ObjectKind, Operand, Program, Routine,
    Span, Thread,
};
use std::ops::RangeInclusive;
use thiserror::Error;

/// Elements between two looks at the limits.
const TURN: usize = 2_000;

/// Views of the over-approximation before more copies are tried, and at most.
const VIEWS: [usize; 2] = [10_000, 200_000];
/// Copies with which something wrong is looked for first.
const QUICK_COPIES: RangeInclusive<usize> = 0..=3;
/// Copies of several functions with which it is looked for without store buffers, after the first views; and of one function with which
/// as few as possible are looked for again, with store buffers.
const MORE_COPIES: RangeInclusive<usize> = 4..=6;
/// States with any number of copies that are explored between two turns of the backward search.
const COPIES_TURN: usize = 50_000;
/// States of all such searches with one number of copies.
const MOST_STATES: usize = 100_000;
/// States that it may take to show that nothing is wrong with fewer copies than something is known to be wrong with.
const FEWER_STATES: u64 = 300_000;

/// Why threads cannot be replicated.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NotReplicable {
    /// No thread starts in the function.
    #[error("no thread runs {0}, so it cannot be replicated")]
    NoThread(String),
    /// The thread has something of its own.
    #[error("{0} cannot be replicated: {1} tells its threads apart")]
    OfItsOwn(String, String, Span),
    /// An invariant of automata is about a fixed number of them.
    #[error("there are no certificates for any number of threads")]
    NotCertified,
    /// Only assertions of C programs are asked about.
    #[error("only threads of C programs can be replicated, under sc and tso")]
    NotHere,
}

impl NotReplicable {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            NotReplicable::OfItsOwn(_, _, span) => *span,
            NotReplicable::NoThread(_) | NotReplicable::NotCertified | NotReplicable::NotHere => {
                Span::NOWHERE
            }
        }
    }
}

/// The functions that a program says to be replicated, by `fp_replicate`.
pub fn replicated_in(program: &Program) -> Vec<String> {
    let functions = (0..program.functions.len()).map(FunctionId::from);
    let calls = functions.flat_map(|function| instructions(program, function));
    let mut names = Vec::new();
    for (_, kind) in calls {
        if let Kind::Call {
            callee: Callee::Routine(Routine::Replicate),
            arguments,
            ..
        } = kind
            && let [Operand::Address(address)] = arguments[..]
            && let ObjectKind::Code(function) = program.objects[address.object.index()].kind
        {
            let name = &program.functions[function.index()].name;
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// Which threads of a flat program are replicated.
pub(crate) fn replicated(
    program: &Program,
    flat: &Program,
    model: Model,
    names: &[String],
) -> Result<Vec<bool>, NotReplicable> {
    if !program.process || !matches!(model, Model::Sc | Model::Tso) {
        return Err(NotReplicable::NotHere);
    }
    let mut replicated = vec![false; flat.threads.len()];
    for name in names {
        let runs = format!(" ({name})");
        let mut found = false;
        for (thread, replicated) in flat.threads.iter().zip(&mut replicated) {
            if thread.name.ends_with(&runs) {
                nothing_made(program, flat, thread, name)?;
                *replicated = true;
                found = true;
            }
        }
        let functions = program.functions.iter();
        let function = functions.zip(0usize..).find(|(f, _)| f.name == *name);
        let Some((_, index)) = function.filter(|_| found) else {
            return Err(NotReplicable::NoThread(name.clone()));
        };
        calls_nothing_of_its_own(program, index.into(), name)?;
    }
    let all = (0..program.functions.len()).map(FunctionId::from);
    for (span, routine) in all.flat_map(|function| routines(program, function)) {
        if matches!(routine.row().class, Class::JoinThread(_)) {
            let (name, what) = (names.join(" and "), routine.name().to_owned());
            return Err(NotReplicable::OfItsOwn(name, what, span));
        }
    }
    Ok(replicated)
}

/// Objects that flattening makes are locals and what is allocated: of one thread each.
fn nothing_made(
    program: &Program,
    flat: &Program,
    thread: &Thread,
    name: &str,
) -> Result<(), NotReplicable> {
    let first_made = program.objects.len() + flatten::SIGNALS;
    for (span, kind) in instructions(flat, thread.function) {
        for operand in kind.operands() {
            if let Operand::Address(address) = operand
                && address.object.index() >= first_made
            {
                let object = &flat.objects[address.object.index()].name;
                let what = format!("the object {object}");
                return Err(NotReplicable::OfItsOwn(name.to_owned(), what, span));
            }
        }
    }
    Ok(())
}

/// Follows the calls of a function.
fn calls_nothing_of_its_own(
    program: &Program,
    function: FunctionId,
    name: &str,
) -> Result<(), NotReplicable> {
    let mut seen = vec![false; program.functions.len()];
    let mut work = vec![function];
    let tells = |what: &str, span| NotReplicable::OfItsOwn(name.to_owned(), what.to_owned(), span);
    while let Some(function) = work.pop() {
        if std::mem::replace(&mut seen[function.index()], true) {
            continue;
        }
        for (span, kind) in instructions(program, function) {
            let Kind::Call { callee, .. } = kind else {
                continue;
            };
            match callee {
                Callee::Function(callee) => work.push(*callee),
                Callee::Pointer(_) => return Err(tells("a call of what is computed", span)),
                Callee::Routine(routine) => match routine.row().class {
                    Class::Nothing | Class::FailAssertion | Class::Abort | Class::ChooseBool => {}
                    _ => return Err(tells(routine.name(), span)),
                },
            }
        }
    }
    Ok(())
}

fn instructions(program: &Program, function: FunctionId) -> impl Iterator<Item = (Span, &Kind)> {
    let blocks = program.functions[function.index()].blocks.iter();
    let instructions = blocks.flat_map(|block| &block.instructions);
    instructions.map(|instruction| (instruction.span, &instruction.kind))
}

fn routines(program: &Program, function: FunctionId) -> impl Iterator<Item = (Span, Routine)> {
    instructions(program, function).filter_map(|(span, kind)| match kind {
        Kind::Call {
            callee: Callee::Routine(routine),
            ..
        } => Some((span, *routine)),
        _ => None,
    })
}

/// What is known for any number of threads.
pub(crate) enum ForAnyNumber {
    /// Nothing is wrong, whatever their number: who decided, and the views and elements that it took.
    Unreachable(By, u64),
    /// Something is wrong with some copies.
    Wrong(Box<Wrong>),
    /// Not decided within the limits; elements and states so far.
    Unknown(u64),
}

/// Copies with which something is wrong.
pub(crate) struct Wrong {
    /// Of each thread.
    pub numbers: Vec<usize>,
    /// Whether nothing is wrong with fewer copies in all, as far as that is known.
    pub fewest: bool,
    /// The system in which they are written out.
    pub instance: System,
    /// What is known of it.
    pub decided: Decided,
}

/// Decides whether a goal can be reached with some number of copies of the threads that are replicated.
pub(crate) fn decide_any_number(
    system: &System,
    replicated: &[bool],
    goals: &[Goal],
    buffering: Buffering,
    control: &Control,
    stop: &Stop,
) -> ForAnyNumber {
    let instances = Instances {
        system,
        replicated,
        goals,
        buffering,
        control,
        stop,
    };
    if let Some(wrong) = instances.wrong_with(QUICK_COPIES, buffering) {
        return instances.fewest(wrong, 0);
    }
    let sequential;
    let searched = if buffering == Buffering::None {
        sequential = without_buffers(system);
        &sequential
    } else {
        system
    };
    let views_of = |most| Views::of(searched, replicated, goals, most, stop);
    let is_safe = |views: &Option<Views>| views.as_ref().is_some_and(|views| views.safe);
    let mut more = instances.with_more();
    let [few, most] = VIEWS;
    let mut views = views_of(few);
    if !is_safe(&views) {
        let wrong = match more.is_empty() {
            // What is wrong without store buffers is wrong with them.
            true => {
                let wrong = instances.wrong_with(MORE_COPIES, Buffering::None);
                wrong.map(|wrong| instances.fewest(wrong, 0))
            }
            false => instances.wrong_with_more(&mut more, MOST_STATES),
        };
        if let Some(wrong) = wrong {
            return wrong;
        }
        views = views.or_else(|| views_of(most));
    }
    let seen = views.as_ref().map_or(0, |views| views.count() as u64);
    if is_safe(&views) {
        return ForAnyNumber::Unreachable(By::ValueSets, seen);
    }
    let Ok(mut search) = AnyNumberSearch::new(searched, replicated, goals, views.as_ref()) else {
        return ForAnyNumber::Unknown(seen);
    };
    loop {
        let found = search.run(TURN, stop);
        let elements = seen + search.elements() as u64;
        let many = control.max_states.is_some_and(|most| elements >= most);
        match found {
            AnyNumber::Unreachable => {
                return ForAnyNumber::Unreachable(By::LoadBuffers, elements);
            }
            AnyNumber::Reachable(copies) => return instances.with_at_most(copies, elements),
            AnyNumber::Unknown if many || stop.look().is_some() => {
                return ForAnyNumber::Unknown(elements);
            }
            AnyNumber::Unknown => {
                if let Some(wrong) = instances.wrong_with_more(&mut more, COPIES_TURN) {
                    return wrong;
                }
            }
        }
    }
}

/// Systems in which the copies are written out.
struct Instances<'a> {
    system: &'a System,
    replicated: &'a [bool],
    goals: &'a [Goal],
    buffering: Buffering,
    control: &'a Control,
    stop: &'a Stop,
}

impl Instances<'_> {
    /// All instances with this many copies, with their goals.
    fn with(&self, total: usize) -> impl Iterator<Item = (Vec<usize>, System, Vec<Goal>)> + '_ {
        let numbers = numbers_of_copies(self.replicated, total).into_iter();
        numbers.map(|numbers| {
            let instance = instance(self.system, &numbers);
            let goals = self.goals.iter().map(|goal| widened(goal, &instance));
            let goals = goals.collect();
            (numbers, instance, goals)
        })
    }

    /// Something wrong among few states with these numbers of copies.
    fn wrong_with(&self, copies: RangeInclusive<usize>, buffering: Buffering) -> Option<Wrong> {
        copies
            .flat_map(|total| {
                let ways = numbers_of_copies(self.replicated, total).len();
                self.with(total)
                    .map(move |instance| (instance, MOST_STATES / ways.max(1)))
            })
            .find_map(|((numbers, instance, goals), most)| {
                let mut search = BoundedSearch::new(&instance, &goals, buffering);
                let met = search.run(most, self.stop);
                let decided = Decided {
                    by: By::StoreBuffers(search.bound()),
                    states: search.states() as u64,
                    invariant: None,
                    decision: match met {
                        Bounded::Met { .. } => Decision::Met(met),
                        Bounded::Unreachable | Bounded::Unknown => return None,
                    },
                };
                Some(Wrong {
                    numbers,
                    fewest: false,
                    instance,
                    decided,
                })
            })
    }

    /// The searches for something wrong with more copies than a few, if they are of one automaton: what is wrong without store buffers is wrong with them, and found
    /// sooner.
    fn with_more(&self) -> Vec<CopiesSearch<'_>> {
        let mut kinds = (0..self.replicated.len()).filter(|kind| self.replicated[*kind]);
        let (Some(kind), None) = (kinds.next(), kinds.next()) else {
            return Vec::new();
        };
        let mut bufferings = vec![self.buffering, Buffering::None];
        bufferings.dedup();
        let bufferings = bufferings.into_iter();
        bufferings
            .map(|buffering| CopiesSearch::new(self.system, self.goals, kind, buffering))
            .collect()
    }

    /// What these find within this many more states.
    fn wrong_with_more(
        &self,
        searches: &mut [CopiesSearch<'_>],
        budget: usize,
    ) -> Option<ForAnyNumber> {
        let mut found = None;
        for search in searches.iter_mut() {
            found = search.run(budget, self.stop).map(|met| (met, &*search));
            if found.is_some() {
                break;
            }
        }
        let (met, search) = found?;
        let copies = search.copies();
        let mut numbers = vec![1; self.replicated.len()];
        numbers[search.kind()] = copies;
        let decided = Decided {
            decision: Decision::Met(met),
            by: By::StoreBuffers(search.bound()),
            states: search.states() as u64,
            invariant: None,
        };
        let wrong = Wrong {
            // Everything with fewer copies has been explored, with store buffers.
            fewest: searches[0].copies() >= copies,
            instance: instance(self.system, &numbers),
            decided,
            numbers,
        };
        Some(match wrong.fewest || copies > *MORE_COPIES.end() {
            true => ForAnyNumber::Wrong(Box::new(wrong)),
            false => self.fewest(wrong, 0),
        })
    }

    /// Looks for something wrong with fewer copies than are known to show it.
    fn fewest(&self, mut known: Wrong, mut states: u64) -> ForAnyNumber {
        let copies = known.numbers.iter().zip(self.replicated);
        let copies = copies.filter(|(_, replicated)| **replicated);
        let total: usize = copies.map(|(number, _)| number).sum();
        known.fewest = true;
        let control = Control {
            max_states: Some(FEWER_STATES),
            ..Control::default()
        };
        for (numbers, instance, goals) in (0..total).flat_map(|total| self.with(total)) {
            let decided = decide(
                &instance,
                &goals,
                self.buffering,
                false,
                &control,
                self.stop,
            );
            states += decided.states;
            match decided.decision {
                Decision::Unreachable => {}
                Decision::Unknown(_) => known.fewest = false,
                Decision::Met(_) | Decision::Reachable(_) => {
                    known = Wrong {
                        numbers,
                        instance,
                        decided,
                        ..known
                    };
                    break;
                }
            }
        }
        known.decided.states += states;
        ForAnyNumber::Wrong(Box::new(known))
    }

    /// Something wrong with the smallest number of copies, given that something is with this many.
    fn with_at_most(&self, most: usize, mut states: u64) -> ForAnyNumber {
        for (numbers, instance, goals) in (0..=most).flat_map(|total| self.with(total)) {
            let (control, stop) = (self.control, self.stop);
            let decided = decide(&instance, &goals, self.buffering, false, control, stop);
            states += decided.states;
            match decided.decision {
                Decision::Unreachable => {}
                Decision::Met(_) | Decision::Reachable(_) => {
                    return ForAnyNumber::Wrong(Box::new(Wrong {
                        numbers,
                        fewest: true,
                        instance,
                        decided: Decided { states, ..decided },
                    }));
                }
                Decision::Unknown(_) => break,
            }
        }
        ForAnyNumber::Unknown(states)
    }
}

/// All ways to have this many copies in all; threads that are not replicated are there once.
fn numbers_of_copies(replicated: &[bool], total: usize) -> Vec<Vec<usize>> {
    let last = replicated.iter().rposition(|replicated| *replicated);
    let mut partial = vec![(Vec::new(), total)];
    for (thread, replicated) in replicated.iter().enumerate() {
        let longer = partial.into_iter().flat_map(|(numbers, left)| {
            let choices = match (replicated, Some(thread) == last) {
                (false, _) => 1..=1,
                (true, true) => left..=left,
                (true, false) => 0..=left,
            };
            choices.map(move |number| {
                let mut numbers: Vec<usize> = numbers.clone();
                numbers.push(number);
                let taken = if *replicated { number } else { 0 };
                (numbers, left - taken)
            })
        });
        partial = longer.collect();
    }
    partial.into_iter().map(|(numbers, _)| numbers).collect()
}

/// A system with this many copies of each thread. The first stands where the thread stood, so goals stay what they are; a thread without copies
/// does nothing.
fn instance(system: &System, numbers: &[usize]) -> System {
    let mut instance = system.clone();
    for (thread, number) in numbers.iter().enumerate() {
        if *number == 0 {
            for state in &mut instance.automata[thread].states {
                state.transitions.clear();
            }
        }
        for _ in 1..*number {
            instance.automata.push(system.automata[thread].clone());
        }
    }
    instance
}

fn widened(goal: &Goal, instance: &System) -> Goal {
    let mut goal = goal.clone();
    goal.controls.resize(instance.automata.len(), None);
    goal
}

/// A flat program with the threads of an instance.
pub(crate) fn with_copies(flat: &Program, numbers: &[usize]) -> Program {
    let mut program = flat.clone();
    for (thread, number) in numbers.iter().enumerate() {
        for _ in 1..*number {
            let mut copy = flat.threads[thread].clone();
            let runs = copy.name.rsplit_once(" (").map(|(_, runs)| runs.to_owned());
            let place = program.threads.len();
            copy.name = format!("thread {place} ({}", runs.unwrap_or_default());
            program.threads.push(copy);
        }
    }
    program
}

/// The system without store buffers: a fence after each write, and reads that wait for the thread's writes as read-modify-writes do.
pub fn without_buffers(system: &System) -> System {
    let automata = system.automata.iter().map(|automaton| {
        let mut states = automaton.states.clone();
        for index in 0..automaton.states.len() {
            for place in 0..states[index].transitions.len() {
                let transition = states[index].transitions[place];
                match transition.event {
                    Event::Read(location, read) => {
                        states[index].transitions[place].event = Event::Update {
                            location,
                            read,
                            written: None,
                        };
                    }
                    Event::Write(..) => {
                        let behind = StateId(states.len() as u32);
                        states[index].transitions[place].target = behind;
                        states.push(State {
                            transitions: vec![Transition {
                                event: Event::Fence,
                                ..transition
                            }],
                            ..State::default()
                        });
                    }
                    Event::Skip | Event::Update { .. } | Event::Fence | Event::Barrier(_) => {}
                }
            }
        }
        Automaton { states }
    });
    System {
        automata: automata.collect(),
        locations: system.locations.clone(),
    }
}
