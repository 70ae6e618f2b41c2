//! The shape of functions: an order of their blocks, and their loops.

use super::{Result, refuse};
use program::{BlockId, ControlFlow, Function, FunctionId, LiveRegisters, Program};
use std::rc::Rc;

/// The shape of one function.
pub struct Shape {
    /// Each block's position in an order in which every block but loop headers comes after
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
        let flow = ControlFlow::of(function);
        let shape = Rc::new(Shape {
            loops: loops(function, &flow)?,
            rank: flow.rank,
            live: self.program.live_registers(id),
        });
        self.shapes[id.index()] = Some(shape.clone());
        Ok(shape)
    }
}

/// The headers of the loops around each block.
fn loops(function: &Function, flow: &ControlFlow) -> Result<Vec<Vec<BlockId>>> {
    let rank = |block: BlockId| flow.rank[block.index()];
    let dominators = flow.dominators();
    let dominates = |header: BlockId, mut block: BlockId| {
        while rank(block) > rank(header) {
            block = dominators[block.index()];
        }
        block == header
    };
    let mut loops = vec![Vec::new(); function.blocks.len()];
    // Headers in order, so that outer loops come first.
    for &header in &flow.order {
        let edges = flow.back_edges.iter().filter(|(_, to)| *to == header);
        let mut inside = vec![false; function.blocks.len()];
        for &(source, _) in edges {
            if !dominates(header, source) {
                let span = function.blocks[header.index()].terminator_span;
                return refuse("a loop that is entered in the middle", span);
            }
            flow.add_loop((source, header), &mut inside);
        }
        for (block, loops) in loops.iter_mut().enumerate() {
            if inside[block] {
                loops.push(header);
            }
        }
    }
    Ok(loops)
}
