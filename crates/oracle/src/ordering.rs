//! Dependence order and the ordering rules: which accesses of a thread memory
//! order must keep in program order.
//!
//! From Park and Dill, section 2.1, for A before B in program order:
//!
//! - (d1) A is a branch and B stores. A load that feeds the branch gets there
//!   through (d2) and the transitive closure.
//! - (d2) A writes a register that B reads, and is the last to do so before B.
//! - (d3) A stores to the cell that B loads; see [`StoreDependence`].
//!
//! Dependence order is the transitive closure. Memory order keeps X before Y if
//!
//! - (m1) X loads and Y depends on it,
//! - (m2) a fence between them orders accesses of their kinds,
//! - (m3) they are to one cell and Y stores,
//! - or the model keeps accesses of their kinds in order.

use crate::path::{Action, Effect, Input, Node, Path};
use crate::{OracleModel, StoreDependence};

/// A path with its part of the memory order.
pub struct Ordered {
    pub path: Path,
    /// The nodes that access memory, in program order.
    pub accesses: Vec<OrderedAccess>,
}

/// An access and what must come before it.
pub struct OrderedAccess {
    /// Its node.
    pub node: usize,
    pub cell: usize,
    pub effect: Effect,
    /// The accesses that must come before it in memory order, by their index in
    /// [`Ordered::accesses`].
    pub after: Vec<usize>,
}

impl Ordered {
    pub fn new(path: Path, model: OracleModel, dependence: StoreDependence) -> Ordered {
        let depends = dependence_order(&path.nodes, dependence);
        let mut accesses: Vec<OrderedAccess> = Vec::new();
        for (node, found) in path.nodes.iter().enumerate() {
            let Action::Access { cell, effect } = found.action else {
                continue;
            };
            let mut access = OrderedAccess {
                node,
                cell,
                effect,
                after: Vec::new(),
            };
            access.after = (0..accesses.len())
                .filter(|&earlier| {
                    must_precede(&path.nodes, &depends, model, &accesses[earlier], &access)
                })
                .collect();
            accesses.push(access);
        }
        Ordered { path, accesses }
    }
}

/// Whether `x` comes before `y` in every memory order, given that it does in
/// program order.
fn must_precede(
    nodes: &[Node],
    depends: &[Vec<bool>],
    model: OracleModel,
    x: &OrderedAccess,
    y: &OrderedAccess,
) -> bool {
    let (x_kind, y_kind) = (x.effect.kind(), y.effect.kind());
    let m1 = x_kind.load && depends[x.node][y.node];
    let m2 = nodes[x.node..y.node].iter().any(|between| {
        matches!(between.action, Action::Fence(orderings) if orderings.orders(x_kind, y_kind))
    });
    let m3 = x.cell == y.cell && y_kind.store;
    m1 || m2 || m3 || model.keeps().orders(x_kind, y_kind)
}

/// `order[a][b]`: node `b` depends on node `a`.
fn dependence_order(nodes: &[Node], dependence: StoreDependence) -> Vec<Vec<bool>> {
    let mut order = vec![vec![false; nodes.len()]; nodes.len()];
    for b in 0..nodes.len() {
        let last_store = (0..b).rev().find(|&a| d3(nodes, a, b));
        for a in 0..b {
            let d3 = match dependence {
                StoreDependence::EveryEarlierStore => d3(nodes, a, b),
                StoreDependence::LastEarlierStore => last_store == Some(a),
            };
            order[a][b] = d1(&nodes[a], &nodes[b]) || d2(a, &nodes[b]) || d3;
        }
    }
    for through in 0..nodes.len() {
        for a in 0..through {
            for b in through + 1..nodes.len() {
                order[a][b] |= order[a][through] && order[through][b];
            }
        }
    }
    order
}

fn d1(a: &Node, b: &Node) -> bool {
    let stores = matches!(b.action, Action::Access { effect, .. } if effect.kind().store);
    matches!(a.action, Action::Branch { .. }) && stores
}

fn d2(a: usize, b: &Node) -> bool {
    b.inputs
        .iter()
        .any(|input| matches!(input, Input::ResultOf(writer) if *writer == a))
}

fn d3(nodes: &[Node], a: usize, b: usize) -> bool {
    match (nodes[a].action, nodes[b].action) {
        (
            Action::Access {
                cell: stored,
                effect: a,
            },
            Action::Access {
                cell: loaded,
                effect: b,
            },
        ) => stored == loaded && a.kind().store && b.kind().load,
        _ => false,
    }
}
