//! Where threads rest, and where their loops come round: of every cycle of operations without accesses one is a point, and of every cycle of points
//! one is marked.

use super::{Point, Target};
use machine::{Code, Op};
use memory::Model;
use program::Orderings;

/// Whether a fence makes the thread wait for its stores, or holds some back.
fn waits(model: Model, orderings: Orderings) -> bool {
    let stores = Orderings::STORE_LOAD.union(Orderings::STORE_STORE);
    let loads = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
    let effective = model.effective(orderings).minus(loads);
    // Stores leave a queue in order.
    !effective.is_empty() && effective.union(model.row().keeps).contains(stores)
}

pub(super) fn rests_at(code: &Code, model: Model, pc: u32) -> bool {
    match code.ops[pc as usize] {
        Op::Access(_) | Op::End => true,
        Op::Fence(orderings) => waits(model, orderings),
        _ => false,
    }
}

fn successors(code: &Code, pc: u32) -> Vec<u32> {
    match code.ops[pc as usize] {
        Op::Branch(then, otherwise) => vec![then, otherwise],
        Op::Jump(target) => vec![target],
        Op::End => Vec::new(),
        _ => vec![pc + 1],
    }
}

/// The operations that a depth-first search through what accesses nothing comes back to.
pub(super) fn cuts(code: &Code, model: Model) -> Vec<bool> {
    let count = code.ops.len();
    let mut cuts = vec![false; count];
    // 0: not seen; 1: on the stack; 2: done.
    let mut seen = vec![0u8; count];
    for root in 0..count as u32 {
        let mut stack = vec![(root, 0)];
        if seen[root as usize] != 0 || rests_at(code, model, root) {
            continue;
        }
        seen[root as usize] = 1;
        while let Some((pc, next)) = stack.pop() {
            let Some(&to) = successors(code, pc).get(next) else {
                seen[pc as usize] = 2;
                continue;
            };
            stack.push((pc, next + 1));
            if rests_at(code, model, to) {
                continue;
            }
            match seen[to as usize] {
                0 => {
                    seen[to as usize] = 1;
                    stack.push((to, 0));
                }
                1 => cuts[to as usize] = true,
                _ => {}
            }
        }
    }
    cuts
}

/// Marks the points that a depth-first search comes back to: every cycle has one.
pub(super) fn mark_loops(points: &mut [Point]) {
    let targets = |point: &Point| -> Vec<u32> {
        let edges = point.edges.iter();
        let targets = edges.filter_map(|edge| match edge.target {
            Target::Point(target) => Some(target),
            Target::Wrong(_) => None,
        });
        targets.collect()
    };
    let targets: Vec<Vec<u32>> = points.iter().map(targets).collect();
    let mut seen = vec![0u8; points.len()];
    seen[0] = 1;
    let mut stack = vec![(0, 0)];
    while let Some((point, next)) = stack.pop() {
        let Some(&to) = targets[point].get(next) else {
            seen[point] = 2;
            continue;
        };
        stack.push((point, next + 1));
        let to = to as usize;
        match seen[to] {
            0 => {
                seen[to] = 1;
                stack.push((to, 0));
            }
            1 => points[to].comes_round = true,
            _ => {}
        }
    }
}
