//! The part of an execution that sequential consistency does not have: accesses on cycles of program order, reads-from, coherence and
//! from-read.
//!
//! The graph has an edge from each access to the next one of its thread, and for each byte those of the last write and of the reads
//! since. So it has a few edges for each access, however long the execution is, and the same paths as the whole
//! relations. Its strongly connected components are found by Tarjan's algorithm (1972), with a stack of its own.

use answer::{AccessEvent, Event, Execution, MemoryAccess, StepId};
use program::ThreadId;
use std::collections::{BTreeMap, HashMap};

/// The accesses of the last component of an execution with a cycle: the steps that issue them. Nothing if there is no cycle, so that
/// sequential consistency has the execution.
pub(crate) fn last_cyclic_part(execution: &Execution) -> Vec<StepId> {
    let edges = edges(execution);
    let parts = components(&edges).into_iter();
    let cyclic = parts.filter(|part| part.len() > 1);
    let mut last = cyclic
        .max_by_key(|part| part.iter().max().copied())
        .unwrap_or_default();
    last.sort_unstable();
    last
}

/// A short cycle within a part: breadth first from one of its accesses, the last.
pub(crate) fn short_cycle(execution: &Execution, part: &[StepId]) -> Vec<StepId> {
    let edges = edges(execution);
    let Some(&start) = part.last() else {
        return Vec::new();
    };
    let mut before: HashMap<StepId, StepId> = HashMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(step) = queue.pop_front() {
        for &next in &edges[step] {
            if next == start {
                let mut cycle = vec![start];
                let mut at = step;
                while at != start {
                    cycle.push(at);
                    at = before[&at];
                }
                cycle.sort_unstable();
                return cycle;
            }
            if part.binary_search(&next).is_ok() && !before.contains_key(&next) {
                before.insert(next, step);
                queue.push_back(next);
            }
        }
    }
    Vec::new()
}

/// For each step that issues an access those that it comes before.
fn edges(execution: &Execution) -> Vec<Vec<StepId>> {
    let mut edges = vec![Vec::new(); execution.steps.len()];
    let mut threads: BTreeMap<ThreadId, Vec<StepId>> = BTreeMap::new();
    for (id, step) in execution.steps.iter().enumerate() {
        if matches!(&step.event, Event::Access(access) if !is_flush(access)) {
            threads.entry(step.thread).or_default().push(id);
        }
    }
    for thread in threads.values_mut() {
        thread.sort_by_key(|id| (execution.steps[*id].position, *id));
        for pair in thread.windows(2) {
            edges[pair[0]].push(pair[1]);
        }
    }
    let mut bytes: HashMap<u64, Byte> = HashMap::new();
    // Loads of stores that wait, which are overwritten by what comes after those.
    let mut forwarded: HashMap<StepId, Vec<StepId>> = HashMap::new();
    let mut unflushed = Vec::new();
    for (id, step) in execution.steps.iter().enumerate() {
        let Event::Access(access) = &step.event else {
            continue;
        };
        let mut access_at = |issue: StepId, reads: bool, writes: bool, forwarded: &[StepId]| {
            let start = access.location.address;
            for address in start..start.saturating_add(access.location.size.max(1).into()) {
                let byte = bytes.entry(address).or_default();
                byte.access(&mut edges, issue, reads, writes, forwarded);
            }
        };
        match access.kind {
            AccessEvent::Load => access_at(id, true, false, &[]),
            AccessEvent::Forward => {
                let store = access.reads_from.unwrap_or(id);
                forwarded.entry(store).or_default().push(id);
            }
            AccessEvent::Update => access_at(id, true, access.written.is_some(), &[]),
            AccessEvent::Buffer if access.flushed_by.is_none() => unflushed.push(id),
            AccessEvent::Buffer => {}
            AccessEvent::Commit => {
                let issue = access.issued_by.unwrap_or(id);
                let readers = forwarded.remove(&issue).unwrap_or_default();
                access_at(issue, false, true, &readers);
            }
        }
    }
    for id in unflushed {
        if let Event::Access(access) = &execution.steps[id].event {
            let readers = forwarded.remove(&id).unwrap_or_default();
            let start = access.location.address;
            for address in start..start.saturating_add(access.location.size.max(1).into()) {
                let byte = bytes.entry(address).or_default();
                byte.access(&mut edges, id, false, true, &readers);
            }
        }
    }
    edges
}

/// The last write to a byte, and the reads since.
#[derive(Default)]
struct Byte {
    write: Option<StepId>,
    reads: Vec<StepId>,
}

impl Byte {
    fn access(
        &mut self,
        edges: &mut [Vec<StepId>],
        id: StepId,
        reads: bool,
        writes: bool,
        forwarded: &[StepId],
    ) {
        for before in self
            .write
            .iter()
            .chain(self.reads.iter().filter(|_| writes))
        {
            if *before != id && edges[*before].last() != Some(&id) {
                edges[*before].push(id);
            }
        }
        if writes {
            self.write = Some(id);
            self.reads.clear();
            self.reads.extend(forwarded);
        } else if reads {
            self.reads.push(id);
        }
    }
}

fn is_flush(access: &MemoryAccess) -> bool {
    access.kind == AccessEvent::Commit && access.issued_by.is_some()
}

/// The strongly connected components of a graph.
fn components(edges: &[Vec<StepId>]) -> Vec<Vec<StepId>> {
    const UNSEEN: usize = usize::MAX;
    let mut numbers = vec![UNSEEN; edges.len()];
    let mut lowest = vec![0; edges.len()];
    let mut is_open = vec![false; edges.len()];
    let (mut open, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..edges.len() {
        if numbers[root] != UNSEEN {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                (numbers[node], lowest[node]) = (next, next);
                next += 1;
                open.push(node);
                is_open[node] = true;
            }
            let Some(&to) = edges[node].get(edge) else {
                if lowest[node] == numbers[node] {
                    let start = open.iter().rposition(|open| *open == node).unwrap_or(0);
                    let part = open.split_off(start);
                    part.iter().for_each(|node| is_open[*node] = false);
                    found.push(part);
                }
                if let Some((caller, _)) = calls.last() {
                    lowest[*caller] = lowest[*caller].min(lowest[node]);
                }
                continue;
            };
            calls.push((node, edge + 1));
            if numbers[to] == UNSEEN {
                calls.push((to, 0));
            } else if is_open[to] {
                lowest[node] = lowest[node].min(numbers[to]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_cycles_that_hang_together() {
        // 0 → 1 ⇄ 2 → 3, 4 ⇄ 5 → 2.
        let edges = [vec![1], vec![2], vec![1, 3], vec![], vec![5], vec![4, 2]];
        let mut parts = components(&edges);
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts.sort();
        assert_eq!(parts, [vec![0], vec![1, 2], vec![3], vec![4, 5]]);
    }
}
