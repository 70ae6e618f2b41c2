//! Places for fences, in the program representation.
//!
//! A place is one point of the source where a fence can be written. In the [`Marked`] program it is a fence without orderings
//! wherever the compiled code has that point, once or in several copies, so that fences at places make
//! another [`Program`] without reading anything again. Adding orderings at places never adds an execution:
//! a set of fences that leaves a violation has only subsets that leave it, too.

use crate::flow::Flow;
use memory::{Effects, Model};
use program::{ControlFlow, Function, Instruction, InstructionKind, Orderings, Program, Span};
use std::collections::BTreeMap;

/// A place: its index in [`Marked::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub usize);

/// A point of the source where a fence can be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Where the fence is written, in the file of the span, before that column: 1 is the start of a line. Its length is 0.
    pub at: Span,
    /// The function or processor.
    pub function: String,
    /// In how many loops of its function it is.
    pub depth: u32,
}

/// Fences to be added: orderings at places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement(BTreeMap<PlaceId, Orderings>);

impl Placement {
    /// Adds orderings at a place.
    pub fn add(&mut self, place: PlaceId, orderings: Orderings) {
        let at = self.0.entry(place).or_default();
        *at = at.union(orderings);
    }

    /// The orderings at a place.
    pub fn at(&self, place: PlaceId) -> Orderings {
        self.0.get(&place).copied().unwrap_or_default()
    }

    /// Places with their orderings.
    pub fn iter(&self) -> impl Iterator<Item = (PlaceId, Orderings)> + '_ {
        let fences = self.0.iter().map(|(place, orderings)| (*place, *orderings));
        fences.filter(|(_, orderings)| !orderings.is_empty())
    }
}

impl FromIterator<(PlaceId, Orderings)> for Placement {
    fn from_iter<T: IntoIterator<Item = (PlaceId, Orderings)>>(fences: T) -> Self {
        let mut placement = Placement::default();
        for (place, orderings) in fences {
            placement.add(place, orderings);
        }
        placement
    }
}

/// A program with marks at places.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The program; marks are fences.
    program: Program,
    /// The places, in the order of the source.
    pub places: Vec<Place>,
    /// The marks, by function, block and index of the instruction, with their places; no place for a mark that is one with
    /// another of its block.
    marks: BTreeMap<(usize, usize, usize), Option<PlaceId>>,
}

impl Marked {
    /// A program of which some instructions, fences with or without orderings, are marks. `mark` says where the fence of a mark is
    /// written. Marks between the same accesses of a block are one place, that of the first.
    pub fn new(program: Program, mark: impl Fn(&Instruction) -> Option<Span>) -> Self {
        // Points of the source that are the same place, by the first of them.
        let mut same: BTreeMap<Span, Span> = BTreeMap::new();
        let mut found: Vec<((usize, usize, usize), Span)> = Vec::new();
        for (f, function) in program.functions.iter().enumerate() {
            for (b, block) in function.blocks.iter().enumerate() {
                let mut before: Option<Span> = None;
                for (i, instruction) in block.instructions.iter().enumerate() {
                    match mark(instruction) {
                        Some(at) => {
                            let first = *before.get_or_insert(at);
                            let known = same.entry(at).or_insert(first);
                            // Copies of one point that stand behind different marks are no longer one with those.
                            if *known != first {
                                *known = at;
                            }
                            found.push(((f, b, i), at));
                        }
                        None if Effects::of(&instruction.kind).stops => before = None,
                        None => {}
                    }
                }
            }
        }
        let mut places = Vec::new();
        let mut ids: BTreeMap<Span, PlaceId> = BTreeMap::new();
        let mut marks = BTreeMap::new();
        let mut depths: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        found.sort_by_key(|(_, at)| *at);
        for ((f, b, i), at) in found {
            let representative = same[&at];
            let function = &program.functions[f];
            let depth = depths.entry(f).or_insert_with(|| loop_depths(function))[b];
            let id = *ids.entry(representative).or_insert_with(|| {
                places.push(Place {
                    at: representative,
                    function: function.name.clone(),
                    depth,
                });
                PlaceId(places.len() - 1)
            });
            marks.insert((f, b, i), (representative == at).then_some(id));
        }
        Marked {
            program,
            places,
            marks,
        }
    }

    /// A program whose marks are fences without orderings and with spans of length 0, where fences are written.
    pub(crate) fn at_marks(program: Program) -> Self {
        Marked::new(program, |instruction| {
            let empty = instruction.kind == InstructionKind::Fence(Orderings::NONE);
            (empty && instruction.span.length == 0).then_some(instruction.span)
        })
    }

    /// The program with its marks.
    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// The place of an instruction that is a mark.
    pub(crate) fn place_at(&self, f: usize, b: usize, i: usize) -> Option<PlaceId> {
        self.marks.get(&(f, b, i)).copied().flatten()
    }

    /// Whether an instruction is a mark.
    pub(crate) fn is_mark(&self, f: usize, b: usize, i: usize) -> bool {
        self.marks.contains_key(&(f, b, i))
    }

    /// The nearest accesses before and after a place, as far as there are any.
    pub fn around(&self, place: PlaceId) -> (Option<Span>, Option<Span>) {
        Flow::new(self).around(place)
    }

    /// The program with fences, and without marks.
    pub fn with(&self, placement: &Placement) -> Program {
        let mut program = self.program.clone();
        for (f, function) in program.functions.iter_mut().enumerate() {
            for (b, block) in function.blocks.iter_mut().enumerate() {
                let instructions = std::mem::take(&mut block.instructions);
                let kept = instructions.into_iter().enumerate();
                let kept = kept.filter_map(|(i, instruction)| {
                    let Some(mark) = self.marks.get(&(f, b, i)) else {
                        return Some(instruction);
                    };
                    let orderings = mark.map_or(Orderings::NONE, |place| placement.at(place));
                    let kind = InstructionKind::Fence(orderings);
                    (!orderings.is_empty()).then_some(Instruction {
                        kind,
                        ..instruction
                    })
                });
                block.instructions = kept.collect();
            }
        }
        program
    }

    /// Whether the marked program, without its marks, has the code of a program. An optimising compiler may make other code of a
    /// text with marks, and what was found out with that says nothing certain of the program itself.
    pub fn is_code_of(&self, program: &Program) -> bool {
        let code = |program: &Program| -> Vec<Function> {
            let mut functions = program.functions.clone();
            for block in functions.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
                block.terminator_span = Span::NOWHERE;
                let instructions = block.instructions.iter_mut();
                instructions.for_each(|instruction| instruction.span = Span::NOWHERE);
            }
            functions
        };
        code(&self.with(&Placement::default())) == code(program)
    }

    /// Every ordering at every place, as far as it does something under a model.
    pub fn everywhere(&self, model: Model) -> Placement {
        let ids = (0..self.places.len()).map(PlaceId);
        ids.map(|id| (id, model.effective(Orderings::ALL)))
            .collect()
    }
}

/// In how many loops each block of a function is.
fn loop_depths(function: &Function) -> Vec<u32> {
    let flow = ControlFlow::of(function);
    let mut headers: BTreeMap<_, Vec<bool>> = BTreeMap::new();
    for edge in &flow.back_edges {
        let inside = headers
            .entry(edge.1)
            .or_insert_with(|| vec![false; function.blocks.len()]);
        flow.add_loop(*edge, inside);
    }
    let depth = |block| headers.values().filter(|inside| inside[block]).count() as u32;
    (0..function.blocks.len()).map(depth).collect()
}
