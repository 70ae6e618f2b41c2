//! Whether sequential consistency has an execution with the same trace.

use super::{EventId, Thread, Trace};
use crate::step::StepKind;

impl Trace {
    /// The event that comes next in the program after a store: the update of the next store, or
    /// the thread's next step; `None` if it has not happened.
    pub(super) fn next_in_program(&self, thread: u32, number: u32) -> Option<EventId> {
        let Thread { stores, runs, .. } = &self.threads[thread as usize];
        let issued = stores[number as usize].issued;
        match stores.get(number as usize + 1) {
            Some(next) if next.issued == issued => (next.update as usize).checked_sub(1),
            _ => {
                let next = runs.partition_point(|run| *run < issued);
                runs.get(next).map(|run| *run as usize)
            }
        }
    }

    /// True if sequential consistency has an execution with the same trace.
    pub fn is_sequential(&self) -> bool {
        self.late == 0 || self.cycle().is_none()
    }

    /// Events that cannot come in this order under sequential consistency: each has to come before
    /// the next, by the trace or in the program, and the last before the first.
    pub fn cycle(&self) -> Option<Vec<EventId>> {
        const NONE: u32 = u32::MAX;
        // The store that comes before each event in the program. A cycle needs one that is late.
        let mut store = vec![NONE; self.len()];
        let mut late = Vec::new();
        for (id, event) in self.events.iter().enumerate() {
            if let StepKind::Commit(number) = event.step.kind
                && let Some(next) = self.next_in_program(event.step.thread.0, number)
            {
                store[next] = id as u32;
                if next < id {
                    late.push(id as u32);
                }
            }
        }
        // Backwards, depth first.
        let mut state = vec![State::New; self.len()];
        let mut path: Vec<(u32, usize)> = Vec::new();
        for start in late {
            if state[start as usize] == State::New {
                state[start as usize] = State::OnPath;
                path.push((start, 0));
            }
            while let Some((id, tried)) = path.last_mut() {
                let here = *id as usize;
                let edges = self.edges_of(here);
                let before = match edges.get(*tried) {
                    Some(edge) => edge.from,
                    None if *tried == edges.len() && store[here] != NONE => store[here] as usize,
                    None => {
                        state[here] = State::Done;
                        path.pop();
                        continue;
                    }
                };
                *tried += 1;
                match state[before] {
                    State::OnPath => {
                        let first = path.iter().position(|(id, _)| *id as usize == before);
                        let cycle = path[first.unwrap_or(0)..].iter().rev();
                        return Some(cycle.map(|(id, _)| *id as usize).collect());
                    }
                    State::New => {
                        state[before] = State::OnPath;
                        path.push((before as u32, 0));
                    }
                    State::Done => {}
                }
            }
        }
        None
    }
}

/// How far a search for cycles is with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    OnPath,
    Done,
}
