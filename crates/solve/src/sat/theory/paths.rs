//! The edges that hold, and cheap paths along them.

use super::reach::Reach;
use crate::sat::edge::Edge;

/// An edge that holds.
struct Held {
    edge: u32,
    to: u32,
    /// How many literals of the edge can still become false.
    weight: usize,
    /// How many edges were put in before.
    index: u32,
}

/// The edges that hold, as a stack.
#[derive(Default)]
pub struct Paths {
    out: Vec<Vec<Held>>,
    stack: Vec<u32>,
    costs: Vec<u32>,
    came: Vec<(u32, u32)>,
    touched: Vec<u32>,
    /// Nodes to look at, by cost modulo three.
    waiting: [Vec<u32>; 3],
}

impl Paths {
    /// Makes room for more nodes.
    pub fn grow(&mut self, nodes: usize) {
        self.out.resize_with(nodes, Vec::new);
        self.costs.resize(nodes, u32::MAX);
        self.came.resize(nodes, (0, 0));
    }

    /// The number of edges.
    pub fn len(&self) -> u32 {
        self.stack.len() as u32
    }

    /// Puts in an edge, of which `weight` literals can still become false.
    pub fn push(&mut self, edge: u32, Edge { from, to, .. }: &Edge, weight: usize) {
        let index = self.len();
        self.stack.push(*from);
        let to = *to;
        self.out[*from as usize].push(Held {
            edge,
            to,
            weight,
            index,
        });
    }

    /// Takes out the last edges.
    pub fn truncate(&mut self, len: u32) {
        while self.len() > len {
            let from = self.stack.pop().expect("an edge to take out");
            self.out[from as usize].pop();
        }
    }

    /// The edges of a path that depends on few literals, among the first `len` edges.
    pub fn cheapest(&mut self, from: u32, to: u32, len: u32, reach: &Reach) -> Vec<u32> {
        self.touched.push(from);
        self.costs[from as usize] = 0;
        self.waiting[0].push(from);
        let mut cost = 0;
        while self.costs[to as usize] > cost {
            match self.waiting[cost as usize % 3].pop() {
                Some(node) => self.visit(node, cost, to, len, reach),
                None => {
                    assert!(self.waiting.iter().any(|nodes| !nodes.is_empty()), "a path");
                    cost += 1;
                }
            }
        }
        let path = self.walked(from, to);
        self.touched
            .drain(..)
            .for_each(|node| self.costs[node as usize] = u32::MAX);
        self.waiting.iter_mut().for_each(Vec::clear);
        path
    }

    fn visit(&mut self, node: u32, cost: u32, goal: u32, len: u32, reach: &Reach) {
        if self.costs[node as usize] != cost {
            return;
        }
        let held = self.out[node as usize].iter();
        for &Held {
            edge, to, weight, ..
        } in held.take_while(|held| held.index < len)
        {
            let cost = cost + weight as u32;
            if self.costs[to as usize] > cost && (to == goal || reach.leads(to, goal)) {
                self.costs[to as usize] = cost;
                self.came[to as usize] = (node, edge);
                self.touched.push(to);
                self.waiting[cost as usize % 3].push(to);
            }
        }
    }

    fn walked(&self, from: u32, to: u32) -> Vec<u32> {
        let (mut node, mut path) = (to, Vec::new());
        while node != from {
            let (before, edge) = self.came[node as usize];
            path.push(edge);
            node = before;
        }
        path.reverse();
        path
    }
}
