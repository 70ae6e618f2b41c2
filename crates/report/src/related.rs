//! Places that an execution connects with its violation: the store that a failed assertion read, the lock that a deadlock waits for, the
//! wake-up that came too early, the load of a bad pointer.

use crate::explanation::Place;
use crate::frames::Frames;
use crate::operands;
use crate::sites::thread_name;
use answer::{AccessEvent, Event, Execution, FaultKind, Step, Violation, Waiting};
use program::{Program, ThreadId};

/// Other places of the source that have to do with a violation.
pub(crate) fn related(
    program: &Program,
    frames: &Frames,
    started: &[String],
    violation: &Violation,
    execution: &Execution,
) -> Vec<Place> {
    let search = Search {
        program,
        frames,
        started,
        execution,
    };
    match violation {
        Violation::Fault {
            thread,
            span,
            fault,
        } => match fault.kind {
            FaultKind::Assertion => {
                let reads = operands::reads(execution, *thread, *span);
                let stores = reads.iter().filter_map(|read| operands::source(read));
                stores.filter_map(|store| search.store(store)).collect()
            }
            FaultKind::Null | FaultKind::Wild | FaultKind::Uninitialised => {
                search.pointer(*thread).into_iter().collect()
            }
            _ => Vec::new(),
        },
        Violation::Deadlock(waiting) => {
            let missed = waiting.iter().flat_map(|waiting| search.missed(waiting));
            missed.collect()
        }
        _ => Vec::new(),
    }
}

struct Search<'a> {
    program: &'a Program,
    frames: &'a Frames<'a>,
    started: &'a [String],
    execution: &'a Execution,
}

impl Search<'_> {
    fn place(&self, step: &Step, label: String) -> Place {
        Place {
            span: self.frames.span(step),
            label,
        }
    }

    fn name(&self, thread: ThreadId) -> String {
        thread_name(self.program, self.started, thread)
    }

    /// A store whose value is read.
    fn store(&self, id: usize) -> Option<Place> {
        let step = &self.execution.steps[id];
        let Event::Access(access) = &step.event else {
            return None;
        };
        let value = access.written.as_ref().unwrap_or(&access.value);
        let (name, location) = (self.name(step.thread), &access.location.name);
        Some(self.place(step, format!("{name} stores {location}={value} here")))
    }

    /// The last load of a thread that got no pointer, or nothing defined.
    fn pointer(&self, thread: ThreadId) -> Option<Place> {
        let mut own = self
            .execution
            .steps
            .iter()
            .rev()
            .filter(|step| step.thread == thread);
        own.find_map(|step| {
            let Event::Access(access) = &step.event else {
                return None;
            };
            let value = access.value.to_string();
            let loads = matches!(access.kind, AccessEvent::Load | AccessEvent::Forward);
            let bad = loads && (value == "NULL" || value == "undefined");
            bad.then(|| {
                let what = if value == "NULL" {
                    "NULL"
                } else {
                    "uninitialised"
                };
                self.place(step, format!("{} is {what} here", access.location.name))
            })
        })
    }

    /// Why what a thread waits for does not come: a wake-up that came too early, or who holds the lock.
    fn missed(&self, waiting: &Waiting) -> Option<Place> {
        let reason = waiting.reason.as_str();
        if let Some(condition) = reason.strip_prefix("waits on ") {
            let condition = condition.split(',').next().unwrap_or("");
            let step = self.last_call(|_, call| {
                let wakes =
                    ["signals", "broadcasts"].map(|wakes| format!("{wakes} {condition} to nobody"));
                wakes.iter().any(|wakes| wakes == call)
            })?;
            let name = self.name(step.thread);
            let label = format!("{name} signals {condition} here, while nobody waits");
            return Some(self.place(step, label));
        }
        let (lock, holder) = reason.strip_prefix("waits for ")?.split_once(", ")?;
        let is_holder = |thread: ThreadId| match holder.strip_prefix("held by ") {
            Some(holder) => self.name(thread).split(" (").next() == Some(holder),
            None => thread == waiting.thread && holder == "which it holds itself",
        };
        let locks = format!("locks {lock}");
        let step = self.last_call(|thread, call| is_holder(thread) && call.starts_with(&locks))?;
        Some(self.place(
            step,
            format!("{} locks {lock} here", self.name(step.thread)),
        ))
    }

    fn last_call(&self, is: impl Fn(ThreadId, &str) -> bool) -> Option<&Step> {
        let mut steps = self.execution.steps.iter().rev();
        steps.find(|step| matches!(&step.event, Event::Call(call) if is(step.thread, call)))
    }
}
