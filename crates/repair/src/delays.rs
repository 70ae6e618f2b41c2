//! Why sequential consistency does not have an execution: the accesses that the model let overtake others.
//!
//! In an execution that sequential consistency has, program order, reads-from, coherence and from-read together have no cycle (Shasha and Snir, 1988).
//! Otherwise there is one, and it passes through accesses of a thread that nothing keeps in program order. [`delays`] finds
//! a cycle for which fences between such accesses are cheapest: with all of them the execution is forbidden.
//!
//! Not guaranteed: that fewer fences elsewhere would not do, or that these repair the program; that is the question of [`search`](crate::Question).

use crate::cyclic::{last_cyclic_part, short_cycle};
use crate::flow::Flow;
use crate::kind::{Costs, Dialect, Kind};
use crate::order::Order;
use crate::place::{Marked, Place};
use answer::{Event, Execution, StepId};
use memory::Model;
use program::Program;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Accesses, flushes counted apart, that are looked at at most: of a longer execution only the part around a cycle.
const MOST_ACCESSES: usize = 600;

/// Two accesses of a thread that nothing keeps in program order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The step of the earlier access.
    pub earlier: StepId,
    /// The step of the later access.
    pub later: StepId,
    /// The later one reached memory first.
    pub overtaken: bool,
    /// The fence between them that would keep them in order.
    pub fence: String,
}

/// A cycle of accesses, each before the next one and the last before the first: by program order or because of what was read and
/// written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CriticalCycle {
    /// The steps that issue the accesses.
    pub accesses: Vec<StepId>,
    /// Those of them that nothing keeps in program order.
    pub delays: Vec<Delay>,
}

/// The delays of a cheapest cycle; none if sequential consistency has the execution, or if that is not known.
pub fn delays(program: &Program, execution: &Execution, model: Model) -> Vec<Delay> {
    critical_cycle(program, execution, model).delays
}

/// A cheapest cycle; an empty one if sequential consistency has the execution, or if that is not known.
pub fn critical_cycle(program: &Program, execution: &Execution, model: Model) -> CriticalCycle {
    if model == Model::Sc {
        return CriticalCycle::default();
    }
    let cyclic = last_cyclic_part(execution);
    if cyclic.is_empty() {
        return CriticalCycle::default();
    }
    let flow = Flow::new(&Marked::new(program.clone(), &BTreeMap::new()));
    if accesses(execution) <= MOST_ACCESSES {
        return cheapest(program, execution, model, &flow);
    }
    let (part, steps) = part_around(execution, &cyclic);
    if accesses(&part) > MOST_ACCESSES {
        return CriticalCycle::default();
    }
    let cycle = cheapest(program, &part, model, &flow);
    let delays = cycle.delays.into_iter().map(|delay| Delay {
        earlier: steps[delay.earlier],
        later: steps[delay.later],
        ..delay
    });
    CriticalCycle {
        accesses: cycle.accesses.iter().map(|id| steps[*id]).collect(),
        delays: delays.collect(),
    }
}

/// The part of a long execution in which a cycle lies, and its steps: all from the first to the last access of the
/// cyclic part, or of a short cycle in it.
fn part_around(execution: &Execution, cyclic: &[StepId]) -> (Execution, Vec<StepId>) {
    let short = short_cycle(execution, cyclic);
    let from_to = |part: &[StepId]| -> BTreeSet<StepId> {
        let range = part.iter().min().zip(part.iter().max());
        range.map_or(BTreeSet::new(), |(first, last)| (*first..=*last).collect())
    };
    let mut part = (Execution::default(), Vec::new());
    for mut kept in [
        from_to(cyclic),
        from_to(&short),
        short.iter().copied().collect(),
    ] {
        // With a store its flush.
        let flushes = kept
            .iter()
            .filter_map(|id| match &execution.steps[*id].event {
                Event::Access(access) => access.flushed_by.or(access.issued_by),
                _ => None,
            });
        let flushes: Vec<StepId> = flushes.collect();
        kept.extend(flushes);
        let next = Cell::new(0);
        let mut smaller = execution.clone();
        smaller.retain(|_| kept.contains(&next.replace(next.get() + 1)));
        part = (smaller, kept.into_iter().collect());
        if accesses(&part.0) <= MOST_ACCESSES {
            break;
        }
    }
    part
}

fn accesses(execution: &Execution) -> usize {
    let steps = execution.steps.iter();
    let accesses = steps.filter(|step| matches!(step.event, Event::Access(_)));
    accesses.count()
}

/// A cheapest cycle of an execution that is not long.
fn cheapest(program: &Program, execution: &Execution, model: Model, flow: &Flow) -> CriticalCycle {
    let Some(order) = Order::of_accesses(execution, model, flow) else {
        return CriticalCycle::default();
    };
    let kinds = Dialect::of(program).kinds(model, &Costs::default());
    let graph = Graph::new(&order, &kinds);
    let cycle = graph.cheapest_cycle(&order);
    let next = cycle.iter().cycle().skip(1);
    let delays = cycle.iter().zip(next).filter_map(|(&earlier, &later)| {
        let edge = graph.0[earlier].iter().find(|edge| edge.to == later)?;
        Some(Delay {
            earlier: order.step(earlier),
            later: order.step(later),
            overtaken: order.is_overtaken(earlier, later),
            fence: kinds[edge.fence?].text.clone(),
        })
    });
    CriticalCycle {
        delays: delays.collect(),
        accesses: cycle.iter().map(|node| order.step(*node)).collect(),
    }
}

/// An edge: where it leads, what it costs, and the fence that makes it one.
#[derive(Clone, Copy)]
struct Edge {
    to: usize,
    cost: u64,
    fence: Option<usize>,
}

/// What comes before what in the execution, or would with a fence. An access has one edge at most to another.
struct Graph(Vec<Vec<Edge>>);

impl Graph {
    fn new(order: &Order, kinds: &[Kind]) -> Self {
        // Among cycles of equal fences a short one is easier to read.
        let cost = |kind: &Kind| 1 + 1000 * Costs::default().of(kind, &Place::default());
        let kept = |&to: &usize| Edge {
            to,
            cost: 1,
            fence: None,
        };
        let edges = order.edges().iter();
        let mut graph = Graph(edges.map(|to| to.iter().map(kept).collect()).collect());
        for (earlier, later) in order.unordered() {
            let keeps = |kind: &Kind| order.keeps(kind.orderings, earlier, later);
            if let Some(fence) = kinds.iter().position(keeps) {
                graph.0[earlier].push(Edge {
                    to: later,
                    cost: cost(&kinds[fence]),
                    fence: Some(fence),
                });
            }
        }
        graph
    }

    /// The nodes of a cheapest cycle; none if there is no cycle. Each cycle has a node that is overtaken, since all other edges lead to
    /// what comes later.
    fn cheapest_cycle(&self, order: &Order) -> Vec<usize> {
        let is_overtaken = |node: &usize| {
            let mut edges = self.0[*node].iter();
            edges.any(|edge| order.is_overtaken(*node, edge.to))
        };
        let starts = (0..self.0.len()).filter(is_overtaken);
        let cycles = starts.filter_map(|start| self.cycle_through(start));
        let cheapest = cycles.min_by_key(|(cost, _)| *cost);
        cheapest.map(|(_, cycle)| cycle).unwrap_or_default()
    }

    /// A cheapest cycle through a node, by Dijkstra's algorithm.
    fn cycle_through(&self, start: usize) -> Option<(u64, Vec<usize>)> {
        let mut costs = vec![u64::MAX; self.0.len()];
        let mut before = vec![start; self.0.len()];
        let mut waiting = BinaryHeap::from([(Reverse(0), start, start)]);
        while let Some((Reverse(cost), node, from)) = waiting.pop() {
            if cost >= costs[node] {
                continue;
            }
            // The start is reached when it is come back to.
            if cost > 0 {
                (costs[node], before[node]) = (cost, from);
                if node == start {
                    break;
                }
            }
            for edge in &self.0[node] {
                waiting.push((Reverse(cost + edge.cost), edge.to, node));
            }
        }
        if costs[start] == u64::MAX {
            return None;
        }
        let mut cycle = vec![before[start]];
        while let Some(&node) = cycle.last().filter(|node| **node != start) {
            cycle.push(before[node]);
        }
        cycle.reverse();
        Some((costs[start], cycle))
    }
}
