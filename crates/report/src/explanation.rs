//! Why a violation happens, as data: made once of a program and a result, shown by every renderer.
//!
//! An [`Explanation`] says what failed, with values as far as they are known; where, with the other places involved; whether
//! sequential consistency has it, too; which accesses are out of order, and the fences that keep them in order; and which
//! stores were still in a store buffer.

use crate::codes::Code;
use crate::frames::Frames;
use crate::hint::delays;
use crate::related::related;
use crate::sites::{file_name, thread_name};
use crate::violation::{Headline, headline, sentence};
use answer::{
    AccessEvent, Event, Execution, Link, ModelResult, Sequential, Step, StepId, Verdict, Violation,
};
use memory::Model;
use program::{Program, Span, ThreadId};

/// Why a violation happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Its kind.
    pub code: &'static Code,
    /// The model that allows it.
    pub model: Model,
    /// What failed, in a line: `counter is 1, expected 2`.
    pub headline: String,
    /// The same as a sentence with thread and line.
    pub message: String,
    /// Where it failed, if it is of one place.
    pub primary: Option<Place>,
    /// The other places involved: the delayed accesses, the other side of a race, where an object was freed.
    pub secondary: Vec<Place>,
    /// Whether sequential consistency has the violation, too.
    pub sequential: Sequential,
    /// Accesses out of program order that the violation is due to.
    pub delays: Vec<Delayed>,
    /// Stores that were still in a store buffer at the end, oldest first.
    pub buffered: Vec<Buffered>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub span: Span,
    /// What happens there, without a full stop; may be empty.
    pub label: String,
}

/// Two accesses of a thread that nothing keeps in program order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delayed {
    /// The thread.
    pub thread: ThreadId,
    /// Its name.
    pub thread_name: String,
    /// The access that comes first in the program.
    pub earlier: Accessed,
    /// The access that comes later there.
    pub later: Accessed,
    /// The later one happened first; otherwise nothing would keep it from that.
    pub overtaken: bool,
    /// The fence between them that keeps them in order.
    pub fence: String,
}

/// An access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Its step in the execution, if there is one.
    pub step: Option<StepId>,
    /// Where it is in the user's own code.
    pub span: Span,
    /// `load`, `store` or `update`.
    pub kind: &'static str,
    /// The name of its location.
    pub location: String,
}

/// A store in a store buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffered {
    /// Whose.
    pub thread: ThreadId,
    /// The name of that thread.
    pub thread_name: String,
    /// The name of its location.
    pub location: String,
    /// What it stores.
    pub value: String,
    /// Where it is in the user's own code.
    pub span: Span,
}

impl Explanation {
    /// Why a program is violated; nothing if it is not.
    pub fn new(program: &Program, result: &ModelResult) -> Option<Self> {
        let violation = result.violation.as_ref()?;
        if result.verdict != Verdict::Violated {
            return None;
        }
        let mut explanation =
            Explanation::of(program, result, violation, result.execution.as_ref());
        explanation.sequential = result.sequential;
        Some(explanation)
    }

    /// The same for each further violation, which have no execution.
    pub fn others(program: &Program, result: &ModelResult) -> Vec<Self> {
        let others = result.others.iter();
        others
            .map(|violation| Explanation::of(program, result, violation, None))
            .collect()
    }

    fn of(
        program: &Program,
        result: &ModelResult,
        violation: &Violation,
        execution: Option<&Execution>,
    ) -> Self {
        let frames = Frames::new(program);
        let Headline {
            text,
            primary,
            mut secondary,
        } = headline(program, &result.started, violation, execution);
        let delays = match (violation, execution) {
            (Violation::NotSequential(cycle), _) => delays_of_cycle(program, result, cycle),
            (_, Some(execution)) => delayed(program, &frames, result, execution),
            (_, None) => Vec::new(),
        };
        if let Some(execution) = execution {
            let related = related(program, &frames, &result.started, violation, execution);
            // Where accesses are out of order, that is the cause rather than what an assertion read.
            let is_told = Code::of(violation).name == "assertion" && !delays.is_empty();
            secondary.extend(related.into_iter().filter(|_| !is_told));
        }
        for delay in &delays {
            secondary.extend(delay.places());
        }
        let mut explanation = Explanation {
            code: Code::of(violation),
            model: result.model,
            headline: text,
            message: sentence(program, &result.started, violation),
            primary,
            secondary: Vec::new(),
            sequential: Sequential::Unknown,
            delays,
            buffered: execution.map_or(Vec::new(), |execution| {
                buffered(program, &frames, &result.started, execution)
            }),
        };
        for place in secondary {
            explanation.add_place(place);
        }
        explanation
    }

    /// Adds a place, once.
    fn add_place(&mut self, place: Place) {
        if place.span != Span::NOWHERE && !self.secondary.contains(&place) {
            self.secondary.push(place);
        }
    }

    /// The delays, a sentence each; equal ones of several threads in one.
    pub fn causes(&self, program: &Program) -> Vec<String> {
        let mut causes: Vec<(&Delayed, Vec<&str>)> = Vec::new();
        for delay in &self.delays {
            let name = delay.thread_name.as_str();
            match causes.iter_mut().find(|(known, _)| known.is_like(delay)) {
                Some((_, names)) if !names.contains(&name) => names.push(name),
                Some(_) => {}
                None => causes.push((delay, vec![name])),
            }
        }
        let causes = causes.iter();
        causes
            .map(|(delay, names)| delay.sentence(program, &names.join(" and ")))
            .collect()
    }

    /// What would forbid the execution, a sentence for each fence.
    pub fn fences(&self, program: &Program) -> Vec<String> {
        let mut fences: Vec<String> = Vec::new();
        for delay in &self.delays {
            let (earlier, later) = (delay.earlier.span, delay.later.span);
            let fence = &delay.fence;
            let sentence = match (earlier, later) {
                (Span::NOWHERE, _) | (_, Span::NOWHERE) => fence.clone(),
                (one, other) if (one.file, one.line) == (other.file, other.line) => {
                    format!("{fence} between the two accesses in {}", line(program, one))
                }
                _ => format!(
                    "{fence} between {} and {}",
                    line(program, earlier),
                    line(program, later)
                ),
            };
            if !fences.contains(&sentence) {
                fences.push(sentence);
            }
        }
        fences
    }

    /// What is known of sequential consistency, unless that is the model.
    pub fn sequential_text(&self) -> Option<&'static str> {
        let alone = matches!(self.code.name, "not-sequential" | "not-serial");
        match self.sequential {
            _ if self.model == Model::Sc || alone => None,
            Sequential::Has => {
                Some("sequential consistency has this violation, too: no fence prevents it")
            }
            Sequential::HasNot => Some("sequential consistency does not have this violation"),
            Sequential::Unknown if !self.delays.is_empty() => Some(
                "sequential consistency does not have this execution (nor, perhaps, the violation)",
            ),
            Sequential::Unknown => {
                Some("whether sequential consistency has this violation is not known")
            }
        }
    }
}

impl Delayed {
    /// The same two places of the source, in whichever thread.
    fn is_like(&self, other: &Delayed) -> bool {
        let site = |accessed: &Accessed| (accessed.span, accessed.kind);
        site(&self.earlier) == site(&other.earlier)
            && site(&self.later) == site(&other.later)
            && self.overtaken == other.overtaken
            && self.earlier.location == other.earlier.location
            && self.later.location == other.later.location
    }

    /// `thread 1 (worker) loads flag[1] (line 42) before its store to turn (line 40) reaches memory`.
    fn sentence(&self, program: &Program, names: &str) -> String {
        let Delayed { earlier, later, .. } = self;
        let place = |accessed: &Accessed| match accessed.span {
            Span::NOWHERE => String::new(),
            span => format!(" ({})", line(program, span)),
        };
        let (first, second) = (place(earlier), place(later));
        let (x, y) = (&earlier.location, &later.location);
        if !self.overtaken {
            return format!(
                "nothing keeps the {} {x}{first} before the {} {y}{second} in {names}",
                earlier.kind_to(),
                later.kind_to(),
            );
        }
        match (earlier.kind, later.kind) {
            ("store", "store") => {
                format!(
                    "in {names}, the store to {y}{second} reaches memory before the store to {x}{first}"
                )
            }
            ("store", kind) => {
                format!("{names} {kind}s {y}{second} before its store to {x}{first} reaches memory")
            }
            (_, kind) => {
                let kind_to = earlier.kind_to();
                format!("{names} {kind}s {y}{second} before the {kind_to} {x}{first}")
            }
        }
    }

    /// Both accesses, for the source.
    fn places(&self) -> [Place; 2] {
        let Delayed { earlier, later, .. } = self;
        let (first, second) = match (self.overtaken, earlier.kind, later.kind) {
            (true, "store", "load") => ("is delayed", "overtakes it"),
            (true, _, _) => ("comes late", "overtakes it"),
            (false, _, _) => ("comes first", "may overtake it"),
        };
        let label = |accessed: &Accessed, what: &str| {
            let (kind, location) = (accessed.kind_to(), &accessed.location);
            Place {
                span: accessed.span,
                label: format!("the {kind} {location} {what}"),
            }
        };
        [label(earlier, first), label(later, second)]
    }
}

impl Accessed {
    /// `store to`, `load of`.
    fn kind_to(&self) -> &'static str {
        match self.kind {
            "store" => "store to",
            "load" => "load of",
            _ => "update of",
        }
    }
}

/// `line 40`, or `lock.h:40` in another file than the program's own.
pub(crate) fn line(program: &Program, span: Span) -> String {
    match span.file {
        0 => format!("line {}", span.line),
        _ => format!("{}:{}", file_name(program, span), span.line),
    }
}

fn delayed(
    program: &Program,
    frames: &Frames,
    result: &ModelResult,
    execution: &Execution,
) -> Vec<Delayed> {
    let delays = delays(program, result).into_iter();
    let delays = delays.filter_map(|delay| {
        let thread = execution.steps[delay.earlier].thread;
        Some(Delayed {
            thread,
            thread_name: thread_name(program, &result.started, thread),
            earlier: accessed(frames, delay.earlier, &execution.steps[delay.earlier])?,
            later: accessed(frames, delay.later, &execution.steps[delay.later])?,
            overtaken: delay.overtaken,
            fence: delay.fence,
        })
    });
    delays.collect()
}

fn accessed(frames: &Frames, id: StepId, step: &Step) -> Option<Accessed> {
    let Event::Access(access) = &step.event else {
        return None;
    };
    Some(Accessed {
        step: Some(id),
        span: frames.span(step),
        kind: match access.kind {
            AccessEvent::Load | AccessEvent::Forward => "load",
            AccessEvent::Buffer | AccessEvent::Commit => "store",
            AccessEvent::Update => "update",
        },
        location: access.location.name.clone(),
    })
}

/// The stores of a cycle that had to wait, with what overtook them.
fn delays_of_cycle(program: &Program, result: &ModelResult, cycle: &[Link]) -> Vec<Delayed> {
    let next = cycle.iter().cycle().skip(1);
    let overtaken = cycle.iter().zip(next).filter(|(link, _)| link.overtaken);
    let accessed = |link: &Link| {
        let (kind, location) = link.access.split_once(' ').unwrap_or(("", &link.access));
        let location = location.trim_start_matches("to ").trim_start_matches("of ");
        Accessed {
            step: None,
            span: link.span,
            kind: match kind {
                "store" => "store",
                "load" => "load",
                _ => "update",
            },
            location: location.to_owned(),
        }
    };
    let delays = overtaken.map(|(store, access)| {
        let fence = match (access.access.starts_with("store"), program.process) {
            (false, true) => "atomic_thread_fence(memory_order_seq_cst)",
            (true, true) => "atomic_thread_fence(memory_order_release)",
            (false, false) => "MFENCE, or membar #StoreLoad,",
            (true, false) => "membar #StoreStore",
        };
        Delayed {
            thread: store.thread,
            thread_name: thread_name(program, &result.started, store.thread),
            earlier: accessed(store),
            later: accessed(access),
            overtaken: true,
            fence: fence.to_owned(),
        }
    });
    delays.collect()
}

/// What was not flushed at the end.
fn buffered(
    program: &Program,
    frames: &Frames,
    started: &[String],
    execution: &Execution,
) -> Vec<Buffered> {
    let waiting = execution.steps.iter().filter_map(|step| {
        let Event::Access(access) = &step.event else {
            return None;
        };
        let waits = access.kind == AccessEvent::Buffer && access.flushed_by.is_none();
        waits.then(|| Buffered {
            thread: step.thread,
            thread_name: thread_name(program, started, step.thread),
            location: access.location.name.clone(),
            value: access.value.to_string(),
            span: frames.span(step),
        })
    });
    // A lasso goes on.
    waiting
        .filter(|_| execution.repeats_from.is_none())
        .collect()
}
