//! From a borderline execution of sequential consistency to one that store buffers show.
//!
//! The access that could miss a write is put before that write, and so is everything that does
//! not come after the write even where stores may wait in store buffers. In this order stores are
//! flushed and all else happens; what follows a store in its thread overtakes it as need be.

use super::borderline::Borderline;
use super::cycle;
use super::relaxed::{Node, Relaxed};
use crate::explorer::Explorer;
use crate::perform::PathStep;
use crate::step::{Step, StepKind};
use answer::Link;
use machine::{Limits, StoreMode};
use program::ThreadId;

/// A thread may take at most this many steps with private memory before what it is to do.
const MOST_ON_ITS_OWN: usize = 1000;

/// What store buffers show.
pub struct Witness {
    /// A cycle of accesses.
    pub links: Vec<Link>,
    /// The execution.
    pub path: Vec<PathStep>,
}

/// Whether store buffers show something at a borderline access.
pub enum Confirmed {
    /// They do.
    Yes(Witness),
    /// The access does something else if it misses the write: it is one more iteration of a loop in
    /// which its thread waits, or does not write. Or a thread ends too early, before its stores are
    /// flushed.
    Differs,
    /// The machine does not follow the order, so that nothing is known.
    No,
}

/// Looks for an execution with store buffers in which a borderline access of the execution at hand
/// misses a write.
pub fn confirm(explorer: &Explorer<'_>, relaxed: &Relaxed, at: Borderline) -> Confirmed {
    let limits = Limits {
        store_mode: StoreMode::Buffered,
        ..explorer.process.limits().clone()
    };
    let mut buffered = Buffered {
        explorer: Explorer::new(explorer.process.image(), &limits, usize::MAX),
        sequential: explorer,
    };
    if let Some(witness) = buffered.run(relaxed, at) {
        return Confirmed::Yes(witness);
    }
    let event = explorer.trace.event(at.event);
    if event.in_loop || event.may_update || !buffered.explorer.ends.by_event.is_empty() {
        Confirmed::Differs
    } else {
        Confirmed::No
    }
}

/// The execution with store buffers as far as it got.
struct Buffered<'a> {
    explorer: Explorer<'a>,
    sequential: &'a Explorer<'a>,
}

impl Buffered<'_> {
    fn run(&mut self, relaxed: &Relaxed, at: Borderline) -> Option<Witness> {
        let last = relaxed.node_of(at.event);
        let nodes = || relaxed.nodes()[..last].iter().enumerate();
        for (_, node) in nodes().filter(|(id, _)| !relaxed.reaches(at.missed, *id)) {
            self.node(node)?;
        }
        self.node(&relaxed.nodes()[last])?;
        for (_, node) in nodes().filter(|(id, _)| relaxed.reaches(at.missed, *id)) {
            self.node(node)?;
        }
        Some(Witness {
            links: cycle::links(&self.explorer)?,
            path: self.explorer.path(),
        })
    }

    /// Does the step of a node, or flushes its stores.
    fn node(&mut self, node: &Node) -> Option<()> {
        for number in node.stores() {
            self.on_its_own(node.thread, |explorer| {
                explorer.process.issued(node.thread) > number
            })?;
            // A store to a local variable is dropped when the variable ends.
            if self.explorer.process.is_buffered(node.thread, number) {
                self.step(node.thread, StepKind::Commit(number))?;
            }
        }
        let event = node.event().filter(|_| node.is_event());
        if let Some(event) = event.filter(|_| node.stores().is_empty()) {
            let event = self.sequential.trace.event(event);
            self.on_its_own(node.thread, |explorer| {
                explorer.process.position_in_code(node.thread) == event.position
            })?;
            self.step(node.thread, event.step.kind)?;
        }
        Some(())
    }

    /// Lets a thread take steps with private memory until it is ready.
    fn on_its_own(
        &mut self,
        thread: ThreadId,
        is_ready: impl Fn(&Explorer<'_>) -> bool,
    ) -> Option<()> {
        for _ in 0..MOST_ON_ITS_OWN {
            if thread.index() >= self.explorer.process.threads() {
                return None;
            }
            if is_ready(&self.explorer) {
                return Some(());
            }
            self.step(thread, StepKind::Run(0))?;
        }
        None
    }

    fn step(&mut self, thread: ThreadId, kind: StepKind) -> Option<()> {
        let step = Step { thread, kind };
        let possible = self.explorer.ways(step) > step.choice();
        let node = self.explorer.trace.len();
        (possible && self.explorer.perform(step, true, node)).then_some(())
    }
}
