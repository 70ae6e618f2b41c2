//! Whether store buffers can show anything at all, by a look at which cells threads access.
//!
//! A program that is not robust against TSO has an attack (see [`attacks`](crate::attacks)): a thread delays a store, loads another cell without a fence
//! or read-modify-write in between, and what others do after the load leads, from one access to the next that conflicts with it or follows it in
//! its thread, to an access of the cell of the delayed store. Here the accesses are those of the threads' edges, whatever the values, so every attack is
//! found and some that are none: if there is none, the program is robust, and a proof without store buffers is one for every size.
//!
//! Not guaranteed: that a robust program is seen to be robust.

use super::edges::{Action, Automaton, Target};
use machine::Cell;
use rustc_hash::FxHashSet;

/// The way that control can go from a point: the accesses on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct At {
    thread: usize,
    point: u32,
}

fn successors(automata: &[Automaton], at: At) -> impl Iterator<Item = (Action, Option<At>)> + '_ {
    let edges = automata[at.thread].points[at.point as usize].edges.iter();
    edges.map(move |edge| {
        let next = match edge.target {
            Target::Point(point) => Some(At { point, ..at }),
            Target::Wrong(_) => None,
        };
        (edge.action, next)
    })
}

fn points(automata: &[Automaton]) -> impl Iterator<Item = At> + '_ {
    automata.iter().enumerate().flat_map(|(thread, automaton)| {
        let points = 0..automaton.points.len() as u32;
        points.map(move |point| At { thread, point })
    })
}

/// The cell that is accessed, and whether it is written.
fn access(action: Action) -> Option<(Cell, bool)> {
    match action {
        Action::Load(cell) | Action::Update(cell, None) => Some((cell, false)),
        Action::Store(cell, _) | Action::Update(cell, Some(_)) => Some((cell, true)),
        Action::Skip | Action::Fence => None,
    }
}

/// Whether there is no attack.
pub fn is_robust(automata: &[Automaton]) -> bool {
    points(automata).all(|at| {
        successors(automata, at).all(|(action, next)| match (action, next) {
            (Action::Store(cell, _), Some(next)) => {
                let loads = overtaking(automata, next, cell);
                !loads
                    .into_iter()
                    .any(|load| comes_back(automata, at.thread, load, cell))
            }
            _ => true,
        })
    })
}

/// The cells that a thread can load while a store of another cell is delayed.
fn overtaking(automata: &[Automaton], from: At, delayed: Cell) -> FxHashSet<Cell> {
    let mut loads = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        if !seen.insert(at) {
            continue;
        }
        for (action, next) in successors(automata, at) {
            match action {
                Action::Fence | Action::Update(..) => continue,
                Action::Load(cell) if cell != delayed => {
                    loads.insert(cell);
                }
                Action::Load(_) | Action::Store(..) | Action::Skip => {}
            }
            waiting.extend(next);
        }
    }
    loads
}

/// Whether what others do after a load can lead to an access of a cell.
fn comes_back(automata: &[Automaton], attacker: usize, loaded: Cell, delayed: Cell) -> bool {
    let (mut read, mut written) = (FxHashSet::from_iter([loaded]), FxHashSet::default());
    let mut reached: FxHashSet<At> = FxHashSet::default();
    loop {
        let before = (read.len(), written.len(), reached.len());
        for at in points(automata).filter(|at| at.thread != attacker) {
            for (action, next) in successors(automata, at) {
                let Some((cell, writes)) = access(action) else {
                    if reached.contains(&at) {
                        reached.extend(next);
                    }
                    continue;
                };
                let conflicts = written.contains(&cell) || (writes && read.contains(&cell));
                if !conflicts && !reached.contains(&at) {
                    continue;
                }
                if cell == delayed {
                    return true;
                }
                if writes {
                    written.insert(cell);
                } else {
                    read.insert(cell);
                }
                reached.extend(next);
            }
        }
        if before == (read.len(), written.len(), reached.len()) {
            return false;
        }
    }
}
