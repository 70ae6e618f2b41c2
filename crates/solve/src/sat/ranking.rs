//! Puts the nodes of a graph in order, or finds a cycle.

use super::edge::Edge;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The position of each node in an order that respects all edges, where nodes that could come
/// next do so by number; or the edges of a cycle, by their place in `edges`.
pub fn rank(nodes: u32, edges: &[(u32, &Edge)]) -> Result<Vec<u32>, Vec<u32>> {
    let mut missing = vec![0u32; nodes as usize];
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); nodes as usize];
    for (_, edge) in edges {
        missing[edge.to as usize] += 1;
        after[edge.from as usize].push(edge.to);
    }
    let ready = (0..nodes).filter(|&node| missing[node as usize] == 0);
    let mut ready: BinaryHeap<Reverse<u32>> = ready.map(Reverse).collect();
    let mut positions = vec![u32::MAX; nodes as usize];
    let mut placed = 0;
    while let Some(Reverse(node)) = ready.pop() {
        positions[node as usize] = placed;
        placed += 1;
        for &next in &after[node as usize] {
            missing[next as usize] -= 1;
            if missing[next as usize] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    match placed == nodes {
        true => Ok(positions),
        false => Err(cycle(&positions, edges)),
    }
}

/// A cycle among the nodes that found no position: each of them has an edge from another.
fn cycle(positions: &[u32], edges: &[(u32, &Edge)]) -> Vec<u32> {
    let lost = |node: u32| positions[node as usize] == u32::MAX;
    let mut into: Vec<Option<(u32, u32)>> = vec![None; positions.len()];
    for (id, edge) in edges {
        if lost(edge.from) && lost(edge.to) {
            into[edge.to as usize] = Some((*id, edge.from));
        }
    }
    let before = |node: u32| into[node as usize].expect("a lost node waits for a lost node");
    let mut node = (0..positions.len() as u32)
        .find(|&node| lost(node))
        .expect("a lost node");
    for _ in 0..positions.len() {
        node = before(node).1;
    }
    let (start, mut cycle) = (node, Vec::new());
    loop {
        let (id, from) = before(node);
        cycle.push(id);
        node = from;
        if node == start {
            cycle.reverse();
            return cycle;
        }
    }
}
