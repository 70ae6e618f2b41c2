//! Pointer variables that hold one address: what clang makes of a parameter at `-O0`, and `int *p = &x;` where nothing else is assigned.
//!
//! Such a variable is an `alloca` of a pointer that is used for nothing but plain loads and one plain store, which comes before
//! every load. So a load gives what the store stored last, and if that is the address of a variable of this call, it is known which.

use super::functions::successors;
use super::promote::{Spot, callee_name};
use super::uses::each_local;
use crate::llvm::{
    Access, BlockId, Function, InstructionKind, LocalId, Module, Type, TypeId, Value,
};

/// What pointer variables hold, by the alloca.
pub(super) struct Held(Vec<Holder>);

#[derive(Clone, Copy)]
enum Holder {
    /// No variable, or one that may hold several addresses.
    Other,
    /// Holds one address, which is not known, or not yet.
    Unknown,
    /// Holds this one.
    Address(Spot),
}

/// A point of a function: a block, and a position in it.
type Point = (BlockId, usize);

/// The accesses of an alloca.
#[derive(Default)]
struct Accesses {
    stores: Vec<Point>,
    loads: Vec<Point>,
    /// It is used for something else.
    other: bool,
}

fn accesses_of<'a>(all: &'a mut [Option<Accesses>], value: &Value) -> Option<&'a mut Accesses> {
    match value {
        Value::Local(local) => all[local.index()].as_mut(),
        _ => None,
    }
}

impl Held {
    pub fn of(module: &Module, function: &Function) -> Self {
        let is_pointer = |id: TypeId| matches!(module.type_of(id), Type::Pointer { .. });
        let mut all: Vec<Option<Accesses>> = function.locals.iter().map(|_| None).collect();
        let blocks = function.blocks.iter().enumerate();
        let points = blocks.flat_map(|(block, body)| {
            let instructions = body.instructions.iter().enumerate();
            instructions.map(move |(at, instruction)| ((BlockId(block as u32), at), instruction))
        });
        for (_, instruction) in points.clone() {
            if let (
                InstructionKind::Allocate {
                    element,
                    count: None,
                    ..
                },
                Some(result),
            ) = (&instruction.kind, instruction.result)
                && is_pointer(*element)
            {
                all[result.index()] = Some(Accesses::default());
            }
        }
        for (point, instruction) in points {
            let plain = |access: &Access| access.ordering.is_none() && !access.volatile;
            let kind = &instruction.kind;
            match kind {
                InstructionKind::Load {
                    value_type,
                    pointer,
                    access,
                } if plain(access) && is_pointer(*value_type) => {
                    if let Some(accesses) = accesses_of(&mut all, &pointer.value) {
                        accesses.loads.push(point);
                    }
                }
                InstructionKind::Store {
                    value,
                    pointer,
                    access,
                } if plain(access) && is_pointer(value.value_type) => {
                    if let Some(accesses) = accesses_of(&mut all, &value.value) {
                        accesses.other = true;
                    }
                    if let Some(accesses) = accesses_of(&mut all, &pointer.value) {
                        accesses.stores.push(point);
                    }
                }
                InstructionKind::Call(call)
                    if callee_name(module, &call.callee).starts_with("llvm.lifetime.") => {}
                _ => each_local(kind, &mut |local: LocalId| {
                    if let Some(accesses) = &mut all[local.index()] {
                        accesses.other = true;
                    }
                }),
            }
        }
        let holder = |accesses: Option<Accesses>| match accesses {
            Some(Accesses {
                stores,
                loads,
                other: false,
            }) if matches!(stores[..], [store] if comes_first(function, store, &loads)) => {
                Holder::Unknown
            }
            _ => Holder::Other,
        };
        Held(all.into_iter().map(holder).collect())
    }

    /// The spot that a pointer variable holds the address of.
    pub fn by(&self, variable: &Value) -> Option<Spot> {
        match variable {
            Value::Local(local) => match self.0[local.index()] {
                Holder::Address(spot) => Some(spot),
                Holder::Other | Holder::Unknown => None,
            },
            _ => None,
        }
    }

    /// Notes what is stored to a pointer variable; whether that is the only address it ever holds.
    pub fn keep(&mut self, variable: &Value, spot: Spot) -> bool {
        let Value::Local(local) = variable else {
            return false;
        };
        let holder = &mut self.0[local.index()];
        let holds_one = !matches!(holder, Holder::Other);
        if holds_one {
            *holder = Holder::Address(spot);
        }
        holds_one
    }
}

/// Whether control comes through one point before each of some others.
fn comes_first(function: &Function, (first, position): Point, others: &[Point]) -> bool {
    let mut others = others
        .iter()
        .filter(|(block, at)| *block != first || *at < position);
    if first.index() == 0 {
        // Control never comes back to the first block.
        return others.all(|(block, _)| *block != first);
    }
    let mut others = others.peekable();
    if others.peek().is_none() {
        return true;
    }
    // The blocks that control can reach without it.
    let mut reached = vec![false; function.blocks.len()];
    let mut stack = vec![BlockId(0)];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) && block != first {
            stack.extend(successors(function, block));
        }
    }
    // In the block itself, a load before the store may read what an earlier iteration stored, or nothing.
    others.all(|(block, _)| *block != first && !reached[block.index()])
}
