//! Which rows of an execution are shown: what the violation depends on, and what happens around it.
//!
//! First, rows fold that hardly ever matter: what happens before the first thread starts, starts, ends and joins of threads,
//! and loads of what nobody writes while there are several threads. Then, if
//! there are still too many, those are kept that are nearest to the [`Focus`]: first the rows of the
//! focus, then those with the same locations, then the others.

use crate::explanation::{Explanation, Place};
use crate::rows::Row;
use answer::{AccessEvent, Event, Execution, FaultKind, StepId, Violation};
use program::{Program, Span, ThreadId};
use std::collections::{HashMap, HashSet};

/// So many rows are always shown.
const FEW: usize = 32;
/// Of more, so many are shown.
const MOST: usize = 8;

/// What an execution is shown for.
#[derive(Debug, Default)]
pub(crate) struct Focus {
    steps: HashSet<StepId>,
    /// Which ends of threads, starts and joins say something.
    is_deadlock: bool,
}

impl Focus {
    /// The end of an execution.
    pub fn end(execution: &Execution) -> Self {
        Focus {
            steps: execution.steps.len().checked_sub(1).into_iter().collect(),
            is_deadlock: false,
        }
    }

    /// What a violation depends on.
    pub fn of(violation: &Violation, explanation: &Explanation, execution: &Execution) -> Self {
        let mut focus = Focus {
            is_deadlock: matches!(violation, Violation::Deadlock(_)),
            ..Focus::end(execution)
        };
        for delay in &explanation.delays {
            for accessed in [&delay.earlier, &delay.later] {
                focus.steps.extend(accessed.step);
            }
        }
        let mut last_at = |thread: Option<ThreadId>, span: Span| {
            let mut steps = execution.steps.iter().enumerate().rev();
            let at = |step: &answer::Step| {
                step.span == span && thread.is_none_or(|thread| thread == step.thread)
            };
            let found = steps.find(|(_, step)| at(step));
            focus.steps.extend(found.map(|(id, _)| id));
        };
        match violation {
            Violation::Fault {
                thread,
                span,
                fault,
            } => {
                last_at(Some(*thread), *span);
                fault
                    .others
                    .iter()
                    .for_each(|(span, _)| last_at(None, *span));
                if fault.kind == FaultKind::Assertion {
                    let reads = crate::operands::reads(execution, *thread, *span);
                    focus
                        .steps
                        .extend(reads.iter().filter_map(|read| read.reads_from));
                } else {
                    let of_delay = |place: &&Place| {
                        let mut delays = explanation.delays.iter();
                        delays.any(|delay| {
                            [delay.earlier.span, delay.later.span].contains(&place.span)
                        })
                    };
                    let places = explanation.secondary.iter().filter(|p| !of_delay(p));
                    places.for_each(|place| last_at(None, place.span));
                }
            }
            Violation::Deadlock(waiting) => {
                waiting.iter().for_each(|w| last_at(Some(w.thread), w.span));
                explanation
                    .secondary
                    .iter()
                    .for_each(|place| last_at(None, place.span));
            }
            Violation::NotSequential(cycle) => {
                cycle
                    .iter()
                    .for_each(|link| last_at(Some(link.thread), link.span));
            }
            _ => {}
        }
        // With a store its flush, with a load what it reads.
        let steps: Vec<StepId> = focus.steps.iter().copied().collect();
        for id in steps {
            if let Event::Access(access) = &execution.steps[id].event {
                let links = [access.flushed_by, access.issued_by];
                focus.steps.extend(links.into_iter().flatten());
            }
        }
        focus
    }

    /// Takes further steps into the focus.
    pub fn add(&mut self, steps: impl IntoIterator<Item = StepId>) {
        self.steps.extend(steps);
    }

    pub fn has(&self, row: &Row) -> bool {
        row.steps.iter().any(|step| self.steps.contains(step))
    }
}

/// What is shown of an execution.
pub(crate) enum Shown {
    /// The row of this number.
    Row(usize),
    /// So many rows are left out here, of these threads.
    Gap(usize, Vec<ThreadId>),
}

/// The rows that are shown, and how many are folded.
pub(crate) fn fold(
    program: &Program,
    execution: &Execution,
    rows: &[Row],
    focus: &Focus,
) -> (Vec<Shown>, usize) {
    let boring = Boring::new(program, execution, focus);
    let mut kept: Vec<usize> = (0..rows.len())
        .filter(|index| focus.has(&rows[*index]) || !boring.is(execution, &rows[*index]))
        .collect();
    let mut gaps = false;
    if kept.len() > FEW && execution.repeats_from.is_none() {
        kept = nearest(execution, rows, &kept, focus);
        gaps = true;
    }
    // To say that a row or two are left out takes as much room as they do.
    if gaps {
        let ends = kept.iter().copied().chain([rows.len()]);
        let starts = [0].into_iter().chain(kept.iter().map(|index| index + 1));
        let short = starts.zip(ends).filter(|(start, end)| end - start == 1);
        let short: Vec<usize> = short.map(|(start, _)| start).collect();
        kept.extend(short);
        kept.sort_unstable();
    }
    let mut shown = Vec::new();
    let mut next = 0;
    for &index in &kept {
        if gaps && index > next {
            shown.push(gap(&rows[next..index]));
        }
        shown.push(Shown::Row(index));
        next = index + 1;
    }
    if gaps && next < rows.len() {
        shown.push(gap(&rows[next..]));
    }
    (shown, rows.len() - kept.len())
}

fn gap(rows: &[Row]) -> Shown {
    let mut threads: Vec<ThreadId> = rows.iter().map(|row| row.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    Shown::Gap(rows.len(), threads)
}

/// The rows that say most, in their order.
fn nearest(execution: &Execution, rows: &[Row], kept: &[usize], focus: &Focus) -> Vec<usize> {
    let key: Vec<usize> = kept
        .iter()
        .copied()
        .filter(|index| focus.has(&rows[*index]))
        .collect();
    let locations: HashSet<&str> = key
        .iter()
        .flat_map(|i| locations(execution, &rows[*i]))
        .collect();
    let rank = |index: usize| {
        if focus.has(&rows[index]) {
            return (0, 0);
        }
        let distance = key.iter().map(|key| key.abs_diff(index)).min().unwrap_or(0);
        let same = locations_of(execution, &rows[index], &locations);
        // The same location far away says no more than another one near by.
        (1, if same { distance } else { 3 * distance + 3 })
    };
    let mut ranked = kept.to_vec();
    ranked.sort_by_key(|index| (rank(*index), *index));
    ranked.truncate(MOST.max(key.len()));
    ranked.sort_unstable();
    ranked
}

fn locations<'e>(execution: &'e Execution, row: &Row) -> Vec<&'e str> {
    let steps = row.steps.iter().map(|step| &execution.steps[*step].event);
    let names = steps.filter_map(|event| match event {
        Event::Access(access) => Some(access.location.name.as_str()),
        _ => None,
    });
    names.collect()
}

fn locations_of(execution: &Execution, row: &Row, names: &HashSet<&str>) -> bool {
    locations(execution, row)
        .iter()
        .any(|name| names.contains(name))
}

/// What hardly ever matters.
struct Boring {
    is_deadlock: bool,
    /// The step that starts the first thread, if the program begins with one.
    first_start: Option<StepId>,
    /// Writes to each location once there are several threads.
    written: HashMap<u64, u32>,
}

impl Boring {
    fn new(program: &Program, execution: &Execution, focus: &Focus) -> Self {
        let starts =
            |event: &Event| matches!(event, Event::Call(call) if call.starts_with("starts "));
        let mut steps = execution.steps.iter();
        let first_start = match program.threads.len() {
            1 => steps.position(|step| starts(&step.event)),
            _ => None,
        };
        let mut written = HashMap::new();
        for step in &execution.steps[first_start.unwrap_or(0)..] {
            if let Event::Access(access) = &step.event
                && !matches!(access.kind, AccessEvent::Load | AccessEvent::Forward)
            {
                *written.entry(access.location.address).or_insert(0) += 1;
            }
        }
        Boring {
            is_deadlock: focus.is_deadlock,
            first_start,
            written,
        }
    }

    fn is(&self, execution: &Execution, row: &Row) -> bool {
        let before = |step: &StepId| self.first_start.is_some_and(|start| *step < start);
        if row.steps.iter().all(before) {
            return true;
        }
        let mut events = row.steps.iter().map(|step| &execution.steps[*step].event);
        events.all(|event| self.is_event(event))
    }

    fn is_event(&self, event: &Event) -> bool {
        match event {
            Event::Access(access) => {
                // What nobody writes while there are several threads.
                self.first_start.is_some()
                    && access.kind == AccessEvent::Load
                    && !self.written.contains_key(&access.location.address)
            }
            Event::Call(call) => {
                let starts = call.starts_with("starts ") && self.first_start.is_some();
                starts || call == "ends" && !self.is_deadlock || call.starts_with("joins ")
            }
            _ => false,
        }
    }
}
