//! Every interleaving of a program, tried one by one.
//!
//! Two ways to the same state with the same trace go on in the same ways, so the second is
//! left out; nothing else is.

use crate::trace::{Recorder, Trace};
use machine::{Image, Limits, Process, Transition};
use memory::Model;
use program::{Program, ThreadId, Word};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The outcome; none in a deadlock, or if something failed.
    pub outcome: Option<Vec<Word>>,
    /// Sequential consistency has the execution.
    pub sequential: bool,
}

/// The executions of a program.
#[derive(Clone, Debug, Default)]
pub struct Executions {
    /// The traces of those that run until no thread can go on: each has ended, failed, or waits.
    pub traces: BTreeMap<Trace, Ending>,
    /// There are others, in which an assumption failed.
    pub cut: bool,
}

/// All executions of a program, or `None` if there are more than so many states on the way.
pub fn executions(program: &Program, model: Model, most: usize) -> Option<Executions> {
    let image = Image::new(program, model);
    let limits = Limits {
        traced: true,
        ..Limits::default()
    };
    let mut found = Executions::default();
    let mut seen: HashSet<(u128, Failures, Trace)> = HashSet::new();
    let process = Process::new(&image, &limits, false, false);
    let mut stack = vec![(process, Failures::default(), Recorder::default(), None)];
    while let Some((mut process, mut failures, mut recorder, transition)) = stack.pop() {
        if let Some(transition) = transition {
            process.perform(transition);
        }
        failures.take(&mut process);
        recorder.step(&process.take_acts());
        if !seen.insert((
            process.fingerprint(),
            failures.clone(),
            recorder.trace.clone(),
        )) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        let mut transitions = process.transitions();
        transitions.retain(|transition| failures.allow(*transition));
        // Looking for what may happen is nothing that happens.
        process.forget_acts();
        if transitions.is_empty() && process.is_discarded() {
            found.cut = true;
        } else if transitions.is_empty() {
            let ending = ending(&mut process, &failures, &recorder);
            let known = found.traces.entry(recorder.trace.clone());
            let known = known.or_insert_with(|| ending.clone());
            assert_eq!(*known, ending, "the trace decides how an execution ends");
        }
        for transition in transitions {
            let (process, failures) = (process.clone(), failures.clone());
            stack.push((process, failures, recorder.clone(), Some(transition)));
        }
    }
    Some(found)
}

/// What went wrong on the way. It stops its thread, whose stores still leave the store buffer; a store that goes
/// wrong as it leaves stops nothing.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Failures {
    stopped: BTreeSet<ThreadId>,
    any: bool,
}

impl Failures {
    fn take(&mut self, process: &mut Process<'_>) {
        for (thread, _) in process.take_ends() {
            self.any = true;
            self.stopped.extend(thread);
        }
    }

    fn allow(&self, transition: Transition) -> bool {
        !matches!(transition, Transition::Run(thread, _) if self.stopped.contains(&thread))
    }
}

fn ending(process: &mut Process<'_>, failures: &Failures, recorder: &Recorder) -> Ending {
    assert!(recorder.is_completed(), "every store has reached memory");
    let waits = failures.any || !process.waiting().is_empty();
    Ending {
        outcome: (!waits).then(|| process.outcome()),
        sequential: recorder.is_sequential(),
    }
}
