//! Places for orderings, in the program representation.
//!
//! A place is a point between the accesses of the compiled code where a change of the source can add orderings: a point where a fence can be
//! written, just before or just after an access whose order can be made another, or a fence that can be taken out. In the [`Marked`] program it is a
//! fence without orderings wherever the code has that point, once or in several copies, so that changes of the source make
//! another [`Program`] without reading anything again. Adding orderings at places never adds an execution:
//! a set of changes that leaves a violation has only subsets that leave it, too.
//!
//! Marks with no step of the thread between them, wherever they are in the code, are one place.

use crate::access::{AccessSite, FenceSite, relax};
use crate::candidate::Change;
use crate::edit::is_blank;
use crate::flow::Flow;
use memory::{Effects, Model};
use program::{ControlFlow, Function, Instruction, InstructionKind, Orderings, Program, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A place: its index in [`Marked::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub usize);

/// A point of the code where the source can add orderings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Where a fence is written, in the file of the span, before that column: 1 is the start of a line. Its length is 0. Nothing
    /// where no fence can be written.
    pub at: Option<Span>,
    /// The function or processor.
    pub function: String,
    /// In how many loops of its function it is.
    pub depth: u32,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// A fence that is written there.
    Point(Span),
    /// What the order of an access keeps in order before it.
    Before(usize),
    /// What the order of an access keeps in order after it.
    After(usize),
    /// A fence of the program.
    Fence(usize),
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

    /// Whether it has all that another one has.
    pub fn contains(&self, other: &Placement) -> bool {
        let mut others = other.iter();
        others.all(|(place, orderings)| self.at(place).contains(orderings))
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
    /// Accesses whose order can be made another.
    pub accesses: Vec<AccessSite>,
    /// Fences of the program that can be taken out.
    pub fences: Vec<FenceSite>,
    /// Where fences and orders are dropped: statements with some that stay, since their text cannot be edited, and what they keep in order.
    pub fixed: Vec<(Span, Orderings)>,
    /// The marks, by function, block and index of the instruction, with their places; no place for a mark that is one with
    /// another of its block.
    marks: BTreeMap<Position, Option<PlaceId>>,
    ids: BTreeMap<Mark, PlaceId>,
}

/// Function, block and index of an instruction.
type Position = (usize, usize, usize);

impl Marked {
    /// A program with some marks, which are fences without orderings.
    pub(crate) fn new(program: Program, marks: &BTreeMap<Position, Mark>) -> Self {
        let runs = runs(&program, marks);
        // What stands at the same points is one place.
        let mut occurs: BTreeMap<Mark, (usize, BTreeSet<usize>)> = BTreeMap::new();
        for (index, (position, run)) in runs.iter().enumerate() {
            let (_, runs) = occurs
                .entry(marks[position])
                .or_insert_with(|| (index, BTreeSet::new()));
            runs.insert(*run);
        }
        let mut same: BTreeMap<BTreeSet<usize>, Vec<(usize, Mark)>> = BTreeMap::new();
        for (mark, (first, runs)) in occurs {
            same.entry(runs).or_default().push((first, mark));
        }
        let mut groups: Vec<Vec<(usize, Mark)>> = same.into_values().collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        // A fence is written at the first point of its place, in C at the first where it has a line for itself.
        let ends_line = |at: &Span| {
            let rest = Span {
                length: u32::from(u16::MAX),
                ..*at
            };
            program.process && is_blank(program.excerpt(rest))
        };
        let point = |group: &[(usize, Mark)]| {
            let points = group.iter().filter_map(|(_, mark)| match mark {
                Mark::Point(at) => Some(*at),
                _ => None,
            });
            let points: Vec<Span> = points.collect();
            let own = points.iter().find(|at| ends_line(at));
            own.or(points.first()).copied()
        };
        groups.sort_by_key(|group| (point(group).is_none(), point(group), group[0].0));
        let written: Vec<Option<Span>> = groups.iter().map(|group| point(group)).collect();
        let mut marked = Marked {
            places: Vec::new(),
            accesses: Vec::new(),
            fences: Vec::new(),
            fixed: Vec::new(),
            marks: BTreeMap::new(),
            ids: BTreeMap::new(),
            program,
        };
        let mut depths: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for (place, group) in groups.iter().enumerate() {
            let (f, b, _) = runs[group[0].0].0;
            let function = &marked.program.functions[f];
            let depth = depths.entry(f).or_insert_with(|| loop_depths(function))[b];
            marked.places.push(Place {
                at: written[place],
                function: name_of(function),
                depth,
            });
            let ids = group.iter().map(|(_, mark)| (*mark, PlaceId(place)));
            marked.ids.extend(ids);
        }
        let mut done = BTreeSet::new();
        for (position, run) in &runs {
            let place = marked.ids[&marks[position]];
            let first = done.insert((*run, place)).then_some(place);
            marked.marks.insert(*position, first);
        }
        marked
    }

    /// A program whose marks are fences without orderings and with spans of length 0, where fences are written.
    pub(crate) fn at_marks(program: Program) -> Self {
        let marks = points_of(&program);
        Marked::new(program, &marks)
    }

    /// The place of a mark, if the mark is in the code.
    pub(crate) fn place_of(&self, mark: Mark) -> Option<PlaceId> {
        self.ids.get(&mark).copied()
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

    /// The program without marks.
    pub fn without_marks(&self) -> Program {
        self.with(&Placement::default())
    }

    /// Whether the marked program, without its marks, has the code of a program. An optimising compiler may make other code of a
    /// text with marks, and what was found out with that says nothing certain of the program itself.
    pub fn is_code_of(&self, program: &Program) -> bool {
        self.is_code_with(&Placement::default(), program)
    }

    /// Whether the program with fences has the code of another one.
    pub fn is_code_with(&self, placement: &Placement, program: &Program) -> bool {
        let with = self.with(placement);
        code(&with) == code(program) && with.objects.len() == program.objects.len()
    }

    /// Whether the program with the fences among some changes has the code of another one, whatever orders the accesses of both have.
    pub fn is_code_apart_from_orders(&self, changes: &[Change], program: &Program) -> bool {
        let fences = changes.iter().filter_map(|change| match change {
            Change::Fence { place, kind } => Some((*place, kind.orderings)),
            _ => None,
        });
        let with = self.with(&fences.collect());
        let code = |program: &Program| {
            let mut functions = code(program);
            let blocks = functions.iter_mut().flat_map(|f| f.blocks.iter_mut());
            let instructions = blocks.flat_map(|block| block.instructions.iter_mut());
            instructions.for_each(|instruction| relax(&mut instruction.kind));
            functions
        };
        code(&with) == code(program) && with.objects.len() == program.objects.len()
    }

    /// Every ordering at every place, as far as it does something under a model.
    pub fn everywhere(&self, model: Model) -> Placement {
        let ids = (0..self.places.len()).map(PlaceId);
        ids.map(|id| (id, model.effective(Orderings::ALL)))
            .collect()
    }
}

/// The name of a function in the text, where it may be several in the code.
pub(crate) fn name_of(function: &Function) -> String {
    function.name.trim_end_matches('\'').to_owned()
}

/// The functions of a program, wherever they stand in its text.
fn code(program: &Program) -> Vec<Function> {
    let mut functions = program.functions.clone();
    for block in functions.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
        block.terminator_span = Span::NOWHERE;
        let instructions = block.instructions.iter_mut();
        instructions.for_each(|instruction| instruction.span = Span::NOWHERE);
    }
    functions
}

/// The fences without orderings and with spans of length 0, where fences are written.
pub(crate) fn points_of(program: &Program) -> BTreeMap<Position, Mark> {
    let mut points = BTreeMap::new();
    for (f, function) in program.functions.iter().enumerate() {
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, instruction) in block.instructions.iter().enumerate() {
                let empty = instruction.kind == InstructionKind::Fence(Orderings::NONE);
                if empty && instruction.span.length == 0 {
                    points.insert((f, b, i), Mark::Point(instruction.span));
                }
            }
        }
    }
    points
}

/// The marks in the order of the code, each with the number of its run: marks of a block with no step of the thread between them.
fn runs(program: &Program, marks: &BTreeMap<Position, Mark>) -> Vec<(Position, usize)> {
    let mut runs = Vec::new();
    let mut run = 0;
    for (f, function) in program.functions.iter().enumerate() {
        for (b, block) in function.blocks.iter().enumerate() {
            run += 1;
            for (i, instruction) in block.instructions.iter().enumerate() {
                if marks.contains_key(&(f, b, i)) {
                    runs.push(((f, b, i), run));
                } else if Effects::of(&instruction.kind).stops {
                    run += 1;
                }
            }
        }
    }
    runs
}

/// In how many loops each block of a function is.
pub(crate) fn loop_depths(function: &Function) -> Vec<u32> {
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
