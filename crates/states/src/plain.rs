//! Every reachable state in the plainest way, to compare the real search with.
//!
//! Every step of every thread is a state of its own, whole states lie in one map, nothing is
//! numbered, packed, shared, permuted or cut short. Of what makes searches fast this uses
//! nothing: only the machine's steps themselves, taken one by one. It is slow, and for
//! tests only.

use crate::options::Options;
use answer::{
    Bound, Counts, Engine, ModelResult, Observation, Outcome, Verdict, Violation, Waiting,
};
use machine::{Machine, Processor, State, Status};
use memory::Model;
use program::{Formula, Liveness, Program, Quantifier, Span, StateView, ThreadId};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

/// A kind of progress of a thread.
type Kind = (usize, u32);

/// What there is to know of a state besides its successors.
struct Node {
    /// Where each step leads, and which kind of progress it makes.
    steps: Vec<(usize, Option<Kind>)>,
    /// Every kind of progress that is possible.
    possible: BTreeSet<Kind>,
}

/// What is wrong with some state, the worst first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    Failure(ThreadId, machine::Failure),
    Invariant(usize),
    Deadlock(Vec<ThreadId>),
}

/// Explores every state of `program` on `processor`, which must take every step by itself.
pub(crate) fn result<P: Processor>(
    program: &Program,
    model: Model,
    options: &Options,
    processor: &P,
) -> ModelResult {
    let started = Instant::now();
    let mut machine = Machine::new(processor, &[]).expect("each thread has a first state");
    let search = search(program, options, processor, &mut machine, started);
    let outcomes = &search.outcomes;
    let positive = outcomes.iter().filter(|(_, holds)| *holds).count();
    let observation = program.properties.condition.is_some().then(|| Observation {
        positive,
        negative: outcomes.len() - positive,
    });
    let violation = match search.wrong {
        Some(wrong) => Some(violation(program, wrong)),
        None => final_violation(program, observation).or_else(|| {
            // Of a part of the states nothing is known of executions that go on for ever.
            let mut liveness = program.properties.liveness.iter();
            let broken = liveness.find(|liveness| {
                let holds = |state: &State<P::Local>| {
                    machine.restore(state.clone());
                    liveness.property.formula.evaluate(&machine) == Some(true)
                };
                let with: Vec<bool> = search.states.iter().map(holds).collect();
                search.stopped.is_none() && fails(&search.nodes, &with, liveness)
            });
            broken.map(|liveness| Violation::Liveness(liveness.clone()))
        }),
    };
    let mut bounds: Vec<Bound> = processor
        .bound_reached()
        .into_iter()
        .chain(search.stopped)
        .collect();
    // As in [`Run`](crate::verdict::Run): a condition that speaks of nothing.
    let asked = program.properties.condition.is_some() && violation.is_none();
    if asked && outcomes.is_empty() && bounds.iter().all(|bound| bound.is_exhausted()) {
        bounds.push(Bound::NoExecution);
    }
    let verdict = match &violation {
        Some(Violation::NoWitness) if !bounds.is_empty() => Verdict::Undecided,
        Some(_) => Verdict::Violated,
        None if bounds.iter().any(|bound| !bound.is_exhausted()) => Verdict::Undecided,
        None => Verdict::Holds,
    };
    let outcomes = search.outcomes.into_iter().map(|(outcome, _)| outcome);
    let distinct: BTreeSet<Outcome> = outcomes.collect();
    let mut outcomes: Vec<Outcome> = distinct.into_iter().collect();
    Outcome::sort(&mut outcomes, &program.observed);
    ModelResult {
        machine: processor.name(),
        verdict,
        bounds,
        counts: Counts {
            states: search.states.len() as u64,
            ..Counts::default()
        },
        outcomes,
        observation,
        violation: violation.filter(|_| verdict == Verdict::Violated),
        time: started.elapsed(),
        ..ModelResult::undecided(model, Engine::States)
    }
}

/// All states, and what they show.
struct Search<L> {
    states: Vec<State<L>>,
    /// As many as states, unless the search was stopped.
    nodes: Vec<Node>,
    /// Outcomes, and whether the condition holds of them.
    outcomes: HashSet<(Outcome, bool)>,
    wrong: Option<Wrong>,
    stopped: Option<Bound>,
}

fn search<P: Processor>(
    program: &Program,
    options: &Options,
    processor: &P,
    machine: &mut Machine<'_, P>,
    started: Instant,
) -> Search<P::Local> {
    let mut numbers: HashMap<State<P::Local>, usize> = HashMap::new();
    let mut states = vec![machine.snapshot()];
    numbers.insert(machine.snapshot(), 0);
    let mut nodes: Vec<Node> = Vec::new();
    let mut outcomes: HashSet<(Outcome, bool)> = HashSet::new();
    let mut wrong: Vec<(usize, Wrong)> = Vec::new();
    let mut settled = Vec::new();
    let mut stopped = None;
    while nodes.len() < states.len() {
        let (count, bytes) = (|| states.len(), || 0);
        stopped = options.control.limit_reached(started, count, bytes);
        if stopped.is_some() {
            break;
        }
        machine.restore(states[nodes.len()].clone());
        let possible = possible(processor, machine.state());
        let found = look(program, machine, possible.is_empty(), &mut outcomes);
        wrong.extend(found.map(|found| (nodes.len(), found)));
        settled.push(!machine.is_betting());
        let mut steps = Vec::new();
        for choice in machine.choices() {
            let undo = machine.step(choice, None).expect("a choice is possible");
            let next = machine.snapshot();
            machine.undo(undo);
            let number = *numbers.entry(next.clone()).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            });
            let kind = choice.action.progress;
            steps.push((number, kind.map(|kind| (choice.thread.index(), kind))));
        }
        let possible = possible.into_iter().flatten().collect();
        nodes.push(Node { steps, possible });
    }
    // What is wrong counts if a state follows in which nobody bets.
    let wrong = wrong.into_iter().filter(|(at, _)| {
        let mut open = vec![*at];
        let mut seen = HashSet::from([*at]);
        while let Some(at) = open.pop() {
            if settled.get(at) == Some(&true) {
                return true;
            }
            let Some(node) = nodes.get(at) else {
                continue;
            };
            let next = node.steps.iter().map(|(next, _)| *next);
            open.extend(next.filter(|next| seen.insert(*next)));
        }
        false
    });
    let wrong = wrong.map(|(_, wrong)| wrong).min();
    Search {
        states,
        nodes,
        outcomes,
        wrong,
        stopped,
    }
}

/// The progress of every action that is possible, if it is of a kind.
fn possible<P: Processor>(processor: &P, state: &State<P::Local>) -> Vec<Option<Kind>> {
    let mut all = Vec::new();
    for (thread, local) in state.locals.iter().enumerate() {
        let mut actions = Vec::new();
        processor.actions(thread.into(), local, &mut actions);
        let kinds = actions.iter().map(|action| action.progress);
        all.extend(kinds.map(|kind| kind.map(|kind| (thread, kind))));
    }
    all
}

/// Looks at a state for what is wrong with it, or for what its outcome is.
fn look<P: Processor>(
    program: &Program,
    machine: &Machine<'_, P>,
    at_end: bool,
    outcomes: &mut HashSet<(Outcome, bool)>,
) -> Option<Wrong> {
    let properties = &program.properties;
    let mut wrong = Vec::new();
    if let Some((thread, failure)) = machine.failure() {
        wrong.push(Wrong::Failure(thread, failure));
    }
    let broken = |formula: &Formula| formula.evaluate(machine) == Some(false);
    let number = properties
        .invariants
        .iter()
        .position(|i| broken(&i.formula));
    wrong.extend(number.map(Wrong::Invariant));
    if at_end && machine.failure().is_none() {
        let threads = (0..program.threads.len()).map(ThreadId::from);
        let running: Vec<ThreadId> = threads
            .filter(|thread| machine.status(*thread) == Status::Running)
            .collect();
        let holds = |formula: &Formula| formula.evaluate(machine) == Some(true);
        if !running.is_empty() {
            wrong.push(Wrong::Deadlock(running));
        } else if properties.filter.iter().all(holds) {
            let condition = properties.condition.as_ref();
            let value = |o: &program::Observable| {
                let value = machine.value(o.location).unwrap_or(0);
                o.width.truncate(value)
            };
            let outcome = Outcome(program.observed.iter().map(value).collect());
            outcomes.insert((
                outcome,
                condition.is_some_and(|c| holds(&c.property.formula)),
            ));
        }
    }
    wrong.into_iter().min()
}

fn violation(program: &Program, wrong: Wrong) -> Violation {
    match wrong {
        Wrong::Failure(thread, machine::Failure::Assertion(span)) => {
            Violation::Assertion { thread, span }
        }
        Wrong::Failure(thread, machine::Failure::BadAccess(span, address)) => {
            Violation::BadAccess {
                thread,
                span,
                address,
            }
        }
        Wrong::Invariant(number) => {
            Violation::Invariant(program.properties.invariants[number].formula.clone())
        }
        Wrong::Deadlock(threads) => {
            let waiting = threads.into_iter().map(|thread| Waiting {
                thread,
                span: Span::NOWHERE,
                reason: String::new(),
            });
            Violation::Deadlock(waiting.collect())
        }
    }
}

fn final_violation(program: &Program, observation: Option<Observation>) -> Option<Violation> {
    let condition = program.properties.condition.as_ref()?;
    let observation = observation?;
    let broken = match condition.quantifier {
        Quantifier::Exists if observation.positive == 0 => return Some(Violation::NoWitness),
        Quantifier::Exists => false,
        Quantifier::NotExists => observation.positive > 0,
        Quantifier::Forall => observation.negative > 0,
    };
    broken.then(|| Violation::FinalState(Outcome(Vec::new())))
}

/// Whether some fair execution never comes to a state `with` the formula, or, if it must
/// come again and again, stops doing so: a set of states without the formula, each of which
/// leads to each other, in which every kind of progress is made or somewhere impossible.
fn fails(nodes: &[Node], with: &[bool], liveness: &Liveness) -> bool {
    let mut reached = HashSet::new();
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        if (!with[state] || liveness.repeatedly) && reached.insert(state) {
            open.extend(nodes[state].steps.iter().map(|(next, _)| *next));
        }
    }
    let mut left: HashSet<usize> = reached.into_iter().filter(|state| !with[*state]).collect();
    let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
    for &state in &left {
        for (next, _) in &nodes[state].steps {
            back.entry(*next).or_default().push(state);
        }
    }
    let forward = |state: usize| nodes[state].steps.iter().map(|(next, _)| *next).collect();
    let backward = |state: usize| back.get(&state).cloned().unwrap_or_default();
    // Parts are found one by one: what a state leads to and what leads to it.
    while let Some(&state) = left.iter().next() {
        let ahead = closure(state, &left, forward);
        let behind = closure(state, &left, backward);
        let part: HashSet<usize> = ahead.intersection(&behind).copied().collect();
        if is_fair(nodes, &part) {
            return true;
        }
        left.retain(|state| !part.contains(state));
    }
    false
}

/// All states of `among` that steps lead to from `state`.
fn closure(
    state: usize,
    among: &HashSet<usize>,
    steps: impl Fn(usize) -> Vec<usize>,
) -> HashSet<usize> {
    let mut found = HashSet::from([state]);
    let mut open = vec![state];
    while let Some(state) = open.pop() {
        let next = steps(state).into_iter();
        open.extend(next.filter(|next| among.contains(next) && found.insert(*next)));
    }
    found
}

fn is_fair(nodes: &[Node], part: &HashSet<usize>) -> bool {
    let inner = |state: usize| {
        let steps = nodes[state].steps.iter();
        steps.filter(|(next, _)| part.contains(next))
    };
    let stays = part.iter().any(|&state| inner(state).next().is_some());
    let ends = part
        .iter()
        .any(|&state| nodes[state].steps.is_empty() && nodes[state].possible.is_empty());
    if !stays {
        return ends;
    }
    let made: BTreeSet<Kind> = part
        .iter()
        .flat_map(|&state| inner(state).filter_map(|(_, kind)| *kind))
        .collect();
    let mut owed = part.iter().map(|&state| nodes[state].possible.clone());
    let first = owed.next().unwrap_or_default();
    let owed = owed.fold(first, |owed, possible| &owed & &possible);
    owed.is_subset(&made)
}
