//! The end of an execution in which one thread is left, which joins the others and then ends on its own.
//!
//! Most executions of a search end alike. So such an end is kept, with everything that it depended on: the thread before it, how all
//! threads stood, and what the thread read. Where all of that is the same again, the thread is put to where it came to.
//!
//! An end is kept only if it wrote nothing to memory, called nothing but joins, and changed nothing but its thread and who is joined. What it
//! read is known by [`Process::finishing`](super::Process), which is given up where something else is done with memory than to load.

use super::acts::ActKind;
use super::memory::{Life, Location};
use super::thread::{Seen, Standing, Thread};
use super::value::Value;
use super::{Act, End, Mark, Process};
use program::ThreadId;
use rustc_hash::FxHashSet;

/// Ends that are kept at most.
const MOST_KEPT: usize = 1 << 14;
/// An end that reads this often is not kept.
pub(super) const MOST_READS: usize = 64;
/// Ends that were not found before as many have to have been found.
const TRIALS: u64 = 1 << 13;

/// Ends that were seen before: those like the last new one, but for the values that are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Finishes {
    last: Option<Finish>,
    /// What such ends read, in the order of [`Finish::locations`].
    values: FxHashSet<Box<[Value]>>,
    /// What memory holds there now.
    current: Vec<Value>,
    found: u64,
    missed: u64,
}

/// The end of an execution, but for the values that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finish {
    id: ThreadId,
    before: Box<Thread>,
    standings: Vec<(Standing, bool)>,
    locations: Vec<(Location, u8)>,
    after: Box<Thread>,
    joined: Vec<ThreadId>,
    steps: usize,
    operations: u64,
}

impl Process<'_> {
    /// If only one thread is left and all that it does is to join the others and then run to its
    /// end on its own, lets it; the thread and the number of its steps. Else nothing happens.
    pub fn run_out(&mut self) -> Option<(ThreadId, usize)> {
        let mut running = (0..self.threads.len()).filter(|index| !self.threads[*index].is_over());
        let id = ThreadId::from(running.next().filter(|_| running.next().is_none())?);
        if !self.is_at_join(id) {
            return None;
        }
        let mark = self.mark();
        if let Some(steps) = self.finish_again(id) {
            debug_assert!(self.finishes_so(id, mark, steps));
            return Some((id, steps));
        }
        let operations = self.operations;
        let standings = self.standings();
        self.finishing = self.finishes.is_some().then(Vec::new);
        let steps = self.join_all(id);
        let reads = self.finishing.take();
        let only_joins = |act: &Act| {
            matches!(
                act.kind,
                ActKind::Join(_) | ActKind::Drain | ActKind::Settle(_) | ActKind::AfterFence
            )
        };
        let quiet = self.acts.iter().all(only_joins);
        self.acts.clear();
        if steps > 0 && quiet && (self.end().is_some() || self.threads[id.index()].is_over()) {
            if let Some(reads) = reads {
                self.keep_finish(id, mark, standings, reads, steps, operations);
            }
            return Some((id, steps));
        }
        self.undo(mark);
        None
    }

    /// Lets a thread join others and run ahead as long as it can; the number of its steps.
    fn join_all(&mut self, id: ThreadId) -> usize {
        self.save_step(id);
        let mut steps = 0;
        while self.end().is_none() && self.is_at_join(id) && self.ways(id) == 1 {
            self.go_on(id, 0);
            steps += 1;
        }
        steps
    }

    /// Runs an end that was just done again; true if it is the same.
    fn finishes_so(&mut self, id: ThreadId, mark: Mark, steps: usize) -> bool {
        let after = self.threads[id.index()].clone();
        let standings = self.standings();
        self.undo(mark);
        let same = self.join_all(id) == steps;
        self.acts.clear();
        // A limit may be reached at any time.
        if let Some(End::Cut(_)) = self.end {
            return true;
        }
        same && self.end().is_none()
            && self.standings() == standings
            && self.threads[id.index()] == after
            && self.changes_of_finish(id, mark).is_some()
    }

    /// How all threads stand, and whether they are detached.
    fn standings(&self) -> Vec<(Standing, bool)> {
        let threads = self.threads.iter();
        threads
            .map(|thread| (thread.standing, thread.detached))
            .collect()
    }

    /// Notes what a thread reads that runs to its end.
    pub(super) fn note_finish(&mut self, at: Location, size: u8, value: Value) {
        if let Some(reads) = &mut self.finishing
            && reads.len() < MOST_READS
        {
            reads.push(Seen { at, size, value });
        }
    }

    /// Does an end again that is kept; the number of its steps.
    fn finish_again(&mut self, id: ThreadId) -> Option<usize> {
        let mut finishes = self.finishes.take()?;
        let Finishes {
            last,
            values,
            current,
            ..
        } = &mut *finishes;
        let last = last.as_ref().filter(|last| {
            self.begins_as(id, last, current) && values.contains(current.as_slice())
        });
        let steps = last.map(|last| {
            self.put_thread(id, &last.after);
            for other in &last.joined {
                self.set_joined(*other);
            }
            self.ender = id;
            self.operations += last.operations;
            last.steps
        });
        match steps {
            Some(_) => finishes.found += 1,
            None => finishes.missed += 1,
        }
        // Where ends are rarely alike, it does not pay to keep them.
        if finishes.missed < TRIALS || finishes.found >= finishes.missed {
            self.finishes = Some(finishes);
        }
        steps
    }

    /// True if everything that a kept end depended on is as it was then, but for the values that it read, which are taken down.
    fn begins_as(&self, id: ThreadId, kept: &Finish, values: &mut Vec<Value>) -> bool {
        let standings = self.threads.iter();
        let standings = standings.map(|other| (other.standing, other.detached));
        if kept.id != id
            || *kept.before != *self.threads[id.index()]
            || !kept.standings.iter().copied().eq(standings)
        {
            return false;
        }
        values.clear();
        kept.locations.iter().all(|(at, size)| {
            values.push(self.memory.read(*at, (*size).into()));
            self.memory.block(at.block).is_some_and(|block| {
                block.bytes.life == Life::Alive
                    && block.bytes.private_to.is_none_or(|owner| owner == id)
            })
        })
    }

    /// Keeps an end that just happened, if it is one that can be kept.
    fn keep_finish(
        &mut self,
        id: ThreadId,
        mark: Mark,
        standings: Vec<(Standing, bool)>,
        reads: Vec<Seen>,
        steps: usize,
        operations: u64,
    ) {
        let Some((before, joined)) = self.changes_of_finish(id, mark) else {
            return;
        };
        if self.end().is_some() || reads.len() >= MOST_READS {
            return;
        }
        let finish = Finish {
            id,
            before: Box::new(before.clone()),
            standings,
            locations: reads.iter().map(|seen| (seen.at, seen.size)).collect(),
            after: self.threads[id.index()].clone(),
            joined,
            steps,
            operations: self.operations - operations,
        };
        let Some(finishes) = &mut self.finishes else {
            return;
        };
        if finishes.values.len() >= MOST_KEPT || finishes.last.as_ref() != Some(&finish) {
            finishes.values.clear();
        }
        let values = reads.iter().map(|seen| seen.value);
        finishes.values.insert(values.collect());
        finishes.last = Some(finish);
    }
}
