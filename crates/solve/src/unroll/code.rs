//! The shape of functions: an order of their blocks, and their loops.

use super::{Result, refuse};
use program::{BlockId, Function, FunctionId, LiveRegisters, Program};
use std::rc::Rc;

/// The shape of one function.
pub struct Shape {
    /// Each block's place in an order in which every block but loop headers comes after
    /// those that lead to it.
    pub rank: Vec<u32>,
    /// The headers of the loops around each block, outermost first; a header is in its loop.
    pub loops: Vec<Vec<BlockId>>,
    /// Registers that are live.
    pub live: LiveRegisters,
}

/// The shapes of a program's functions, found when they are needed.
pub struct Code<'a> {
    program: &'a Program,
    shapes: Vec<Option<Rc<Shape>>>,
}

impl<'a> Code<'a> {
    pub fn new(program: &'a Program) -> Self {
        let shapes = program.functions.iter().map(|_| None).collect();
        Code { program, shapes }
    }

    /// The functions whose shape was needed.
    pub fn visited(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let shapes = self.shapes.iter().enumerate();
        shapes.filter_map(|(index, shape)| shape.as_ref().map(|_| FunctionId::from(index)))
    }

    /// The shape of a function, if it was needed before.
    pub fn known_shape(&self, id: FunctionId) -> Option<Rc<Shape>> {
        self.shapes[id.index()].clone()
    }

    pub fn shape(&mut self, id: FunctionId) -> Result<Rc<Shape>> {
        if let Some(shape) = &self.shapes[id.index()] {
            return Ok(shape.clone());
        }
        let function = &self.program.functions[id.index()];
        let order = reverse_postorder(function);
        let mut rank = vec![u32::MAX; function.blocks.len()];
        for (index, block) in order.iter().enumerate() {
            rank[block.index()] = index as u32;
        }
        let shape = Rc::new(Shape {
            loops: loops(function, &order, &rank)?,
            rank,
            live: self.program.live_registers(id),
        });
        self.shapes[id.index()] = Some(shape.clone());
        Ok(shape)
    }
}

/// The blocks that control comes to, each after all others that lead to it but for loops.
fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(BlockId(0), false)];
    while let Some((block, leaving)) = stack.pop() {
        if leaving {
            order.push(block);
        } else if !std::mem::replace(&mut seen[block.index()], true) {
            stack.push((block, true));
            let next = function.blocks[block.index()].terminator.successors();
            stack.extend(next.filter(|next| !seen[next.index()]).map(|b| (b, false)));
        }
    }
    order.reverse();
    order
}

/// The headers of the loops around each block.
fn loops(function: &Function, order: &[BlockId], rank: &[u32]) -> Result<Vec<Vec<BlockId>>> {
    let mut before: Vec<Vec<BlockId>> = vec![Vec::new(); function.blocks.len()];
    for &block in order {
        for next in function.blocks[block.index()].terminator.successors() {
            before[next.index()].push(block);
        }
    }
    let dominators = dominators(order, rank, &before);
    let dominates = |header: BlockId, mut block: BlockId| {
        while rank[block.index()] > rank[header.index()] {
            block = dominators[block.index()];
        }
        block == header
    };
    let mut loops = vec![Vec::new(); function.blocks.len()];
    // Headers in order, so that outer loops come first.
    for &header in order {
        let backs = before[header.index()].iter().copied();
        let backs: Vec<BlockId> = backs
            .filter(|back| rank[back.index()] >= rank[header.index()])
            .collect();
        if backs.is_empty() {
            continue;
        }
        if !backs.iter().all(|&back| dominates(header, back)) {
            let span = function.blocks[header.index()].terminator_span;
            return refuse("a loop that is entered in the middle", span);
        }
        let mut inside = vec![false; function.blocks.len()];
        inside[header.index()] = true;
        let mut stack = backs;
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut inside[block.index()], true) {
                stack.extend(&before[block.index()]);
            }
        }
        for (block, loops) in loops.iter_mut().enumerate() {
            if inside[block] {
                loops.push(header);
            }
        }
    }
    Ok(loops)
}

/// Each block's immediate dominator (Cooper, Harvey and Kennedy).
fn dominators(order: &[BlockId], rank: &[u32], before: &[Vec<BlockId>]) -> Vec<BlockId> {
    let start = order[0];
    let mut dominators: Vec<Option<BlockId>> = vec![None; rank.len()];
    dominators[start.index()] = Some(start);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &order[1..] {
            let mut found: Option<BlockId> = None;
            for &other in &before[block.index()] {
                if dominators[other.index()].is_none() {
                    continue;
                }
                found = Some(match found {
                    None => other,
                    Some(mut mine) => {
                        let mut theirs = other;
                        while mine != theirs {
                            let lower = if rank[mine.index()] > rank[theirs.index()] {
                                &mut mine
                            } else {
                                &mut theirs
                            };
                            *lower = dominators[lower.index()].unwrap_or(start);
                        }
                        mine
                    }
                });
            }
            if dominators[block.index()] != found {
                dominators[block.index()] = found;
                changed = true;
            }
        }
    }
    dominators.into_iter().map(|d| d.unwrap_or(start)).collect()
}
