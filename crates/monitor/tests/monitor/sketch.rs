//! Small straight-line programs, and all their sequentially consistent interleavings.

use program::{LogEvent, LogOperation};
use proptest::prelude::*;
use std::fmt;

pub use LogOperation::*;

/// What each thread does, in order: operations and their locations or threads.
#[derive(Clone, PartialEq, Eq)]
pub struct Sketch(pub Vec<Vec<(LogOperation, u32)>>);

impl fmt::Debug for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (thread, operations) in self.0.iter().enumerate() {
            write!(f, "\n  P{thread}:")?;
            for (operation, address) in operations {
                match operation.is_access() {
                    true => write!(
                        f,
                        " {}({})",
                        operation.name(),
                        ["x", "y", "z"][*address as usize]
                    )?,
                    false if operation.is_of_thread() => {
                        write!(f, " {}(P{address})", operation.name())?
                    }
                    false => write!(f, " {}", operation.name())?,
                }
                f.write_str(";")?;
            }
        }
        Ok(())
    }
}

fn operation() -> impl Strategy<Value = LogOperation> {
    prop_oneof![
        6 => Just(Load),
        6 => Just(Store),
        2 => Just(Interlocked),
        1 => Just(FailedInterlocked),
        1 => Just(Fence),
        1 => Just(StoreStoreFence),
        1 => Just(StoreLoadFence),
    ]
}

/// Programs of 2 or 3 threads. In some of them the first thread starts the last, or joins it.
pub fn sketches(most: usize, locations: u32) -> impl Strategy<Value = Sketch> {
    let thread = move |most| proptest::collection::vec((operation(), 0..locations), 1..=most);
    let two = proptest::collection::vec(thread(most), 2);
    let three = proptest::collection::vec(thread(most.min(3)), 3);
    let threads = prop_oneof![two, three];
    let place = || proptest::option::weighted(0.15, any::<prop::sample::Index>());
    (threads, place(), place()).prop_map(|(mut threads, start, join)| {
        let last = threads.len() as u32 - 1;
        if let Some(start) = start {
            let place = start.index(threads[0].len() + 1);
            threads[0].insert(place, (Start, last));
        }
        if let Some(join) = join {
            let first = threads[0]
                .iter()
                .position(|(operation, _)| *operation == Start);
            let first = first.map_or(0, |place| place + 1);
            let place = first + join.index(threads[0].len() + 1 - first);
            threads[0].insert(place, (Join, last));
        }
        Sketch(threads)
    })
}

impl Sketch {
    /// Whether a thread may take its next step, as far as starting and joining go.
    pub fn may_step(&self, done: &[usize], thread: usize) -> bool {
        let Some((operation, other)) = self.0[thread].get(done[thread]) else {
            return false;
        };
        let started = self.0.iter().zip(done).all(|(operations, done)| {
            let start = operations
                .iter()
                .position(|step| *step == (Start, thread as u32));
            start.is_none_or(|place| place < *done)
        });
        let other = *other as usize;
        let joined = *operation != Join || done[other] == self.0[other].len();
        started && joined
    }

    /// Hands every interleaving to `visit`, which stops by giving true.
    pub fn interleavings(&self, visit: &mut impl FnMut(&[LogEvent]) -> bool) -> bool {
        let mut done = vec![0; self.0.len()];
        self.extend(&mut done, &mut Vec::new(), visit)
    }

    fn extend(
        &self,
        done: &mut [usize],
        events: &mut Vec<LogEvent>,
        visit: &mut impl FnMut(&[LogEvent]) -> bool,
    ) -> bool {
        if events.len() == self.0.iter().map(Vec::len).sum::<usize>() {
            return visit(events);
        }
        for thread in 0..self.0.len() {
            if !self.may_step(done, thread) {
                continue;
            }
            events.push(self.event(thread, done[thread], events.len()));
            done[thread] += 1;
            let stop = self.extend(done, events, visit);
            done[thread] -= 1;
            events.pop();
            if stop {
                return true;
            }
        }
        false
    }

    /// The interleaving that a row of choices makes.
    pub fn interleaving(&self, choices: &[prop::sample::Index]) -> Vec<LogEvent> {
        let mut done = vec![0; self.0.len()];
        let mut events = Vec::new();
        for choice in choices.iter().cycle() {
            let ready = |thread: &usize| self.may_step(&done, *thread);
            let ready: Vec<usize> = (0..self.0.len()).filter(ready).collect();
            if ready.is_empty() {
                break;
            }
            let thread = ready[choice.index(ready.len())];
            events.push(self.event(thread, done[thread], events.len()));
            done[thread] += 1;
        }
        events
    }

    fn event(&self, thread: usize, index: usize, before: usize) -> LogEvent {
        let (operation, address) = self.0[thread][index];
        LogEvent {
            thread: thread as u32,
            operation,
            address,
            line: before as u32 + 1,
            at: LogEvent::NOWHERE,
        }
    }
}
