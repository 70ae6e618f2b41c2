//! Every interleaving of a program, tried one by one.
//!
//! Two ways to the same state with the same trace go on in the same ways, so the second is
//! left out; nothing else is.

use crate::trace::{Recorder, Trace};
use machine::{Image, Limits, Process};
use memory::Model;
use program::{Program, Word};
use std::collections::{BTreeMap, HashSet};

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The outcome; none in a deadlock.
    pub outcome: Option<Vec<Word>>,
    /// Sequential consistency has the execution.
    pub sequential: bool,
}

/// The executions of a program.
#[derive(Clone, Debug, Default)]
pub struct Executions {
    /// The traces of those that run to their end, or until only waiting threads are left.
    pub traces: BTreeMap<Trace, Ending>,
    /// There are others, which something ended before, or an assumption that failed.
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
    let mut seen: HashSet<(u128, Trace)> = HashSet::new();
    let mut stack = vec![(
        Process::new(&image, &limits, false, false),
        Recorder::default(),
    )];
    while let Some((mut process, mut recorder)) = stack.pop() {
        recorder.step(&process.take_acts());
        if !seen.insert((process.fingerprint(), recorder.trace.clone())) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        let transitions = process.transitions();
        // Looking for what may happen is nothing that happens.
        process.forget_acts();
        if process.end().is_some() || transitions.is_empty() && process.is_discarded() {
            found.cut = true;
        } else if transitions.is_empty() {
            let ending = ending(&mut process, &recorder);
            let known = found.traces.entry(recorder.trace.clone());
            let known = known.or_insert_with(|| ending.clone());
            assert_eq!(*known, ending, "the trace decides how an execution ends");
        }
        for transition in transitions {
            let mut next = process.clone();
            next.perform(transition);
            stack.push((next, recorder.clone()));
        }
    }
    Some(found)
}

fn ending(process: &mut Process<'_>, recorder: &Recorder) -> Ending {
    assert!(recorder.is_completed(), "every store has reached memory");
    let waits = !process.waiting().is_empty();
    Ending {
        outcome: (!waits).then(|| process.outcome()),
        sequential: recorder.is_sequential(),
    }
}
