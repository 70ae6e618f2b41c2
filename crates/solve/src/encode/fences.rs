//! Fences: a node between what they order, so that edges are few.

use super::Encoder;
use super::order::{KINDS, LOAD, STORE};
use crate::sat::{Lit, Node};
use crate::term::TermId;
use crate::unroll::{self, Event, Fence, FenceAt};
use program::Orderings;

impl Encoder<'_> {
    /// Makes the nodes and edges of all fences, and of threads that start and end.
    pub fn fences(&mut self) {
        let mut halves: Vec<Half> = Vec::new();
        for fence in self.unrolled.fences.clone() {
            for (left, right) in split(fence.orders) {
                let mut half = |between: Between| {
                    let node = self.gates.solver.node();
                    halves.push(Half {
                        fence,
                        left,
                        right,
                        between,
                        node,
                    });
                    node
                };
                if fence.step.is_none() {
                    half(Between::All);
                } else {
                    // The step is one node, which must not come before itself.
                    let (first, last) = (half(Between::ToStep), half(Between::FromStep));
                    self.gates.solver.edge(first, last, &[]);
                }
            }
        }
        for event in 0..self.unrolled.events.len() {
            if self.limits.is_over() {
                return;
            }
            self.ahead_of_fences(event, &halves);
        }
        for index in 0..halves.len() {
            if self.limits.is_over() {
                return;
            }
            self.behind_fence(index, &halves);
            match halves[index].fence.at {
                FenceAt::Nothing => {}
                FenceAt::Start(started) => self.start(&halves[index], started, &halves),
                FenceAt::Join(handle) => self.join(&halves[index], handle, &halves),
            }
        }
    }

    /// Edges from an event to the fences after it.
    fn ahead_of_fences(&mut self, x: usize, halves: &[Half]) {
        let Event {
            thread,
            position,
            step,
            guard,
            loads,
            ..
        } = self.unrolled.events[x];
        let kinds = self.kinds(x);
        // For each kind of the event: the later kinds that no fence has ordered for sure yet.
        let mut open = [[true; 2]; 2];
        let after = |half: &&Half| {
            let fence = &half.fence;
            fence.thread == thread
                && fence.position > position
                && half.between != other_side(fence.step == Some(step))
        };
        for half in halves.iter().filter(after) {
            let at = self.guard(half.fence.guard);
            let sure = self.implies(guard, half.fence.guard);
            for k in [LOAD, STORE] {
                let news = [LOAD, STORE]
                    .iter()
                    .any(|&to| half.right[to] && open[k][to]);
                if !half.left[k] || kinds[k] == Lit::FALSE || !news {
                    continue;
                }
                // What is not executed has nothing before it; but an exchange that is may not
                // store.
                let stores = if loads && k == STORE {
                    kinds[k]
                } else {
                    Lit::TRUE
                };
                if let Some(node) = self.nodes[x] {
                    self.gates.solver.edge(node, half.node, &[at, stores]);
                }
                if sure {
                    for to in [LOAD, STORE] {
                        open[k][to] &= !half.right[to];
                    }
                }
            }
        }
    }

    /// Edges from a fence to what comes after it, up to the next fence that does as much.
    fn behind_fence(&mut self, index: usize, halves: &[Half]) {
        let half = &halves[index];
        let (thread, position) = (half.fence.thread, half.fence.position);
        let mut end = u32::MAX;
        let step = half.fence.step;
        let later = match half.between {
            Between::ToStep => &[],
            _ => &halves[index + 1..],
        };
        for next in later {
            let other = next.fence;
            if other.thread != thread || other.position <= position || next.right != half.right {
                continue;
            }
            // What comes after a step is not before it again.
            let same_step = step.is_some() && other.step == step;
            if same_step && next.between == Between::ToStep {
                continue;
            }
            let at = self.guard(other.guard);
            self.gates.solver.edge(half.node, next.node, &[at]);
            if self.implies(half.fence.guard, other.guard) {
                end = other.position;
                break;
            }
        }
        for y in 0..self.unrolled.events.len() {
            let event = &self.unrolled.events[y];
            if event.thread != thread || event.position < position || event.position > end {
                continue;
            }
            let wanted = match half.between {
                Between::All => true,
                Between::ToStep => step == Some(event.step),
                Between::FromStep => step != Some(event.step),
            };
            if !wanted {
                continue;
            }
            let kinds = self.kinds(y);
            let ordered = [LOAD, STORE].into_iter().filter(|&k| half.right[k]);
            let ordered: Vec<Lit> = ordered.map(|k| kinds[k]).collect();
            let when = self.gates.any(&ordered);
            if when != Lit::FALSE
                && let Some(node) = self.nodes[y]
            {
                self.gates.solver.edge(half.node, node, &[when]);
            }
        }
    }

    /// A thread starts at a fence.
    fn start(&mut self, half: &Half, started: usize, halves: &[Half]) {
        for y in 0..self.unrolled.events.len() {
            if self.unrolled.events[y].thread == started {
                let executed = self.executed(y);
                if let Some(node) = self.nodes[y] {
                    self.gates.solver.edge(half.node, node, &[executed]);
                }
            }
        }
        for other in halves.iter().filter(|other| other.fence.thread == started) {
            let at = self.guard(other.fence.guard);
            self.gates.solver.edge(half.node, other.node, &[at]);
        }
    }

    /// The thread of a handle has ended at a fence.
    fn join(&mut self, half: &Half, handle: TermId, halves: &[Half]) {
        let at = self.guard(half.fence.guard);
        for thread in 0..self.unrolled.threads.len() {
            let this = self.is(handle, unroll::handle(thread));
            if thread == half.fence.thread {
                // A thread that waits for itself does not go on.
                self.gates.solver.clause(&[!at, !this]);
                continue;
            }
            if this == Lit::FALSE {
                continue;
            }
            for x in 0..self.unrolled.events.len() {
                if self.unrolled.events[x].thread == thread
                    && let Some(node) = self.nodes[x]
                {
                    self.gates.solver.edge(node, half.node, &[at, this]);
                }
            }
            for other in halves.iter().filter(|other| other.fence.thread == thread) {
                self.gates.solver.edge(other.node, half.node, &[at, this]);
            }
        }
    }
}

/// A fence, or half of it: accesses of the kinds on the left come before those on the right.
#[derive(Clone)]
struct Half {
    fence: Fence,
    left: [bool; 2],
    right: [bool; 2],
    between: Between,
    node: Node,
}

/// What a fence in the middle of a step is between.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// It is in no step.
    All,
    /// What comes before the step, and the step.
    ToStep,
    /// The step, and what comes after it.
    FromStep,
}

/// The half of a fence that an event before it has nothing to do with.
fn other_side(in_step: bool) -> Between {
    match in_step {
        true => Between::ToStep,
        false => Between::FromStep,
    }
}

/// A fence's orderings as pairs of sets of kinds.
fn split(orders: Orderings) -> Vec<([bool; 2], [bool; 2])> {
    let right = KINDS.map(|left| KINDS.map(|right| orders.orders(left, right)));
    let halves = match right[LOAD] == right[STORE] {
        true => vec![([true, true], right[LOAD])],
        false => vec![([true, false], right[LOAD]), ([false, true], right[STORE])],
    };
    let some = |(_, right): &([bool; 2], [bool; 2])| right.contains(&true);
    halves.into_iter().filter(some).collect()
}
