//! Accesses and fences of a program that can be written anew in its text: where they are there, and where in the compiled code.
//!
//! An access of the code has the span of its statement, or of the line's part of it. It is taken for a call in the text ([`calls`]) if the statement has as many calls
//! that do the same as the code has accesses that do it; several of them get another order together. An access in a macro, or
//! one whose order is an argument of its function, is none of these. A fence is one if it is the whole effect of its statement.
//!
//! Not guaranteed: that the compiler makes of the edited text what is expected. The edited copy is read and asked about in the end.

use crate::calls::{Call, TextEdit, arguments, calls};
use crate::place::{Mark, Marked, PlaceId, Placement, loop_depths, name_of, points_of};
use crate::statements::{Token, tokens};
use memory::{Effects, c11};
use program::{
    AccessKind, Instruction, InstructionKind, MemoryOrder, Orderings, Program, Source, Span,
};
use std::collections::BTreeMap;
use std::ops::Range;

/// An access whose order can be made another; several, if they do the same in one statement.
#[derive(Clone, Debug)]
pub struct AccessSite {
    /// The statement.
    pub span: Span,
    /// The function.
    pub function: String,
    /// In how many loops of its function it is.
    pub depth: u32,
    /// What it does to memory.
    pub kind: AccessKind,
    /// Its order in the text.
    pub order: MemoryOrder,
    /// The order of a compare-and-exchange that fails.
    failure: MemoryOrder,
    /// The calls.
    pub calls: Vec<Call>,
    /// The places just before and just after it.
    pub around: [Option<PlaceId>; 2],
}

impl AccessSite {
    /// The orders of its kind, with what they keep in order at the places around it.
    pub(crate) fn orders(&self) -> impl Iterator<Item = (MemoryOrder, Placement)> + '_ {
        let orders = MemoryOrder::NAMED.into_iter().map(|(order, _)| order);
        let makes_sense = |order: &MemoryOrder| match order {
            MemoryOrder::Plain | MemoryOrder::Relaxed => false,
            MemoryOrder::Acquire => self.kind.load,
            MemoryOrder::Release => self.kind.store,
            MemoryOrder::AcquireRelease => self.kind == AccessKind::UPDATE,
            MemoryOrder::SequentiallyConsistent => true,
        };
        orders.filter(makes_sense).map(|order| {
            let (before, after) = c11::fences(self.kind, order);
            let around = self.around.iter().zip([before, after]);
            let around = around.filter_map(|(place, orderings)| Some(((*place)?, orderings)));
            (order, around.collect())
        })
    }

    /// What an order keeps in order before the access and after it.
    pub fn keeps(&self, order: MemoryOrder) -> Orderings {
        let (before, after) = c11::fences(self.kind, order);
        before.union(after)
    }

    /// Whether an order keeps all in order that the one in the text keeps.
    pub(crate) fn strengthens(&self, order: MemoryOrder) -> bool {
        let (old, new) = (c11::fence(self.order), c11::fence(order));
        order != self.order && new.contains(old)
    }

    /// Whether an order keeps nothing in order but what the one in the text keeps.
    pub(crate) fn weakens(&self, order: MemoryOrder) -> bool {
        let (old, new) = (c11::fence(self.order), c11::fence(order));
        old.contains(new)
    }

    /// How the text changes for an order.
    pub(crate) fn edits(&self, order: MemoryOrder) -> Vec<TextEdit> {
        let failure = self.failure_for(order);
        let edits = self
            .calls
            .iter()
            .flat_map(|call| call.edits(order, failure));
        edits.collect()
    }

    /// The calls as they are written with an order.
    pub fn text(&self, source: &str, order: MemoryOrder) -> String {
        let failure = self.failure_for(order);
        let texts = self
            .calls
            .iter()
            .map(|call| call.with(source, order, failure));
        texts.collect::<Vec<_>>().join("; ")
    }

    /// The calls as they are written.
    pub fn old_text<'s>(&self, source: &'s str) -> Vec<&'s str> {
        let texts = self.calls.iter().map(|call| &source[call.range.clone()]);
        texts.collect()
    }

    /// A failure has its order as long as that is no stronger than what a success has.
    fn failure_for(&self, success: MemoryOrder) -> MemoryOrder {
        let acquires = match success {
            MemoryOrder::AcquireRelease => MemoryOrder::Acquire,
            MemoryOrder::Release => MemoryOrder::Relaxed,
            other => other,
        };
        let fits = c11::fence(acquires).contains(c11::fence(self.failure));
        if fits { self.failure } else { acquires }
    }
}

/// A fence of the program that is a statement.
#[derive(Clone, Debug)]
pub struct FenceSite {
    /// The statement.
    pub span: Span,
    /// The function or processor.
    pub function: String,
    /// In how many loops of its function it is.
    pub depth: u32,
    /// What it orders.
    pub orderings: Orderings,
    /// Its bytes, with the semicolon.
    pub range: Range<usize>,
    /// Nothing may stand in its place: the body of a loop or an `if`.
    pub(crate) is_body: bool,
    /// The place that it is.
    pub place: Option<PlaceId>,
}

/// Which instructions are at a span of a function, by what they do.
#[derive(Default)]
struct Statement<'p> {
    function: usize,
    accesses: Vec<((usize, usize), &'p Instruction, AccessKind)>,
    fences: Vec<((usize, usize), Orderings)>,
    /// Anything else that others can observe, or a plain access.
    other: bool,
}

/// The statements of a program's functions.
fn statements(program: &Program) -> BTreeMap<(Span, usize), Statement<'_>> {
    let mut statements: BTreeMap<(Span, usize), Statement> = BTreeMap::new();
    for (f, function) in program.functions.iter().enumerate() {
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, instruction) in block.instructions.iter().enumerate() {
                let span = instruction.span;
                if span.length == 0 || span == Span::NOWHERE {
                    continue;
                }
                let statement = statements.entry((span, f)).or_default();
                statement.function = f;
                let effects = Effects::of(&instruction.kind);
                match (&instruction.kind, effects.access) {
                    (InstructionKind::Fence(orderings), _) => {
                        statement.fences.push(((b, i), *orderings));
                    }
                    (kind, Some(access)) if is_atomic(kind) => {
                        statement.accesses.push(((b, i), instruction, access));
                    }
                    _ => statement.other |= effects.stops,
                }
            }
        }
    }
    statements
}

/// The order of an atomic access, and that of its failure.
fn orders_of(kind: &InstructionKind) -> Option<(MemoryOrder, MemoryOrder)> {
    use InstructionKind::*;
    match kind {
        Load { access, .. } | Store { access, .. } | Update { access, .. } => {
            Some((access.order, MemoryOrder::Relaxed))
        }
        CompareExchange {
            access, failure, ..
        } => Some((access.order, *failure)),
        _ => None,
    }
}

fn is_atomic(kind: &InstructionKind) -> bool {
    orders_of(kind).is_some_and(|(order, _)| order != MemoryOrder::Plain)
}

pub(crate) fn relax(kind: &mut InstructionKind) {
    use InstructionKind::*;
    match kind {
        Load { access, .. } | Store { access, .. } | Update { access, .. } => {
            access.order = MemoryOrder::Relaxed;
        }
        CompareExchange {
            access, failure, ..
        } => (access.order, *failure) = (MemoryOrder::Relaxed, MemoryOrder::Relaxed),
        _ => {}
    }
}

/// What becomes of orders and fences that can be written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orders {
    /// They stay, and accesses may get more.
    Kept,
    /// They go, and may come back.
    Dropped,
}

type Position = (usize, usize, usize);

/// What can be written anew, and its instructions.
#[derive(Default)]
struct Sites {
    accesses: Vec<AccessSite>,
    fences: Vec<FenceSite>,
    /// Statements with a fence or an order that cannot.
    fixed: Vec<(Span, Orderings)>,
    access_at: BTreeMap<Position, usize>,
    fence_at: BTreeMap<Position, usize>,
}

/// A program with marks at its points, around the accesses that can have other orders, and, if those are dropped, in the place of its
/// fences. `is_edited` says which files can be edited.
pub(crate) fn marked(
    mut program: Program,
    orders: Orders,
    is_edited: impl Fn(&Source) -> bool,
) -> Marked {
    let sites = Sites::of(&program, orders, is_edited);
    let mut points = points_of(&program);
    let mut marks = BTreeMap::new();
    for (f, function) in program.functions.iter_mut().enumerate() {
        for (b, block) in function.blocks.iter_mut().enumerate() {
            let mut instructions: Vec<Instruction> = Vec::new();
            for (i, mut instruction) in std::mem::take(&mut block.instructions)
                .into_iter()
                .enumerate()
            {
                let mut add = |instruction: Instruction, mark: Option<Mark>| {
                    if let Some(mark) = mark {
                        marks.insert((f, b, instructions.len()), mark);
                    }
                    instructions.push(instruction);
                };
                let empty = Instruction {
                    kind: InstructionKind::Fence(Orderings::NONE),
                    span: Span {
                        length: 0,
                        ..instruction.span
                    },
                };
                let at = (f, b, i);
                if let Some(fence) = sites.fence_at.get(&at) {
                    add(empty, Some(Mark::Fence(*fence)));
                } else if let Some(access) = sites.access_at.get(&at) {
                    if orders == Orders::Dropped {
                        relax(&mut instruction.kind);
                    }
                    add(empty.clone(), Some(Mark::Before(*access)));
                    add(instruction, None);
                    add(empty, Some(Mark::After(*access)));
                } else {
                    add(instruction, points.remove(&at));
                }
            }
            block.instructions = instructions;
        }
    }
    let mut marked = Marked::new(program, &marks);
    marked.accesses = sites.accesses;
    marked.fences = sites.fences;
    marked.fixed = sites.fixed;
    let place = |mark| marked.place_of(mark);
    let around =
        (0..marked.accesses.len()).map(|a| [place(Mark::Before(a)), place(Mark::After(a))]);
    let around: Vec<_> = around.collect();
    let of_fences: Vec<_> = (0..marked.fences.len())
        .map(|f| place(Mark::Fence(f)))
        .collect();
    for (access, around) in marked.accesses.iter_mut().zip(around) {
        access.around = around;
    }
    for (fence, place) in marked.fences.iter_mut().zip(of_fences) {
        fence.place = place;
    }
    marked
}

impl Sites {
    fn of(program: &Program, orders: Orders, is_edited: impl Fn(&Source) -> bool) -> Self {
        let mut sites = Sites::default();
        let statements = statements(program);
        let mut copies: BTreeMap<Span, Vec<&Statement>> = BTreeMap::new();
        for ((span, _), statement) in &statements {
            copies.entry(*span).or_default().push(statement);
        }
        let mut texts: BTreeMap<u16, Text> = BTreeMap::new();
        for (span, copies) in &copies {
            let Some(source) = program.file(*span).filter(|source| is_edited(source)) else {
                sites.add_fixed(*span, copies);
                continue;
            };
            let text = texts
                .entry(span.file)
                .or_insert_with(|| Text::new(&source.text));
            if program.process {
                sites.add_accesses(program, *span, text, copies);
            }
            if orders == Orders::Dropped {
                sites.add_fence(program, *span, text, copies);
            }
            sites.add_fixed(*span, copies);
        }
        sites
    }

    /// What a statement keeps in order and nobody can take away.
    fn add_fixed(&mut self, span: Span, copies: &[&Statement]) {
        let mut fixed = Orderings::NONE;
        for statement in copies {
            let at = |(block, index): (usize, usize)| (statement.function, block, index);
            for (position, orderings) in &statement.fences {
                if !self.fence_at.contains_key(&at(*position)) {
                    fixed = fixed.union(*orderings);
                }
            }
            for (position, instruction, _) in &statement.accesses {
                let order = orders_of(&instruction.kind).map(|(order, _)| order);
                if let Some(order) = order.filter(|_| !self.access_at.contains_key(&at(*position)))
                {
                    fixed = fixed.union(c11::fence(order));
                }
            }
        }
        if !fixed.is_empty() {
            self.fixed.push((span, fixed));
        }
    }

    fn add_accesses(&mut self, program: &Program, span: Span, text: &Text, copies: &[&Statement]) {
        for kind in [AccessKind::LOAD, AccessKind::STORE, AccessKind::UPDATE] {
            let calls = text.calls(span, kind);
            let of_kind = |statement: &Statement| -> Vec<((usize, usize), Option<_>)> {
                let accesses = statement.accesses.iter().filter(|(_, _, k)| *k == kind);
                accesses
                    .map(|(at, instruction, _)| (*at, orders_of(&instruction.kind)))
                    .collect()
            };
            let copies: Vec<_> = copies.iter().map(|s| (s.function, of_kind(s))).collect();
            let Some(&((block, _), Some(orders))) = copies.first().and_then(|(_, a)| a.first())
            else {
                continue;
            };
            let mut all = copies.iter().flat_map(|(_, accesses)| accesses);
            let same = all.all(|(_, other)| *other == Some(orders));
            let matched = copies
                .iter()
                .all(|(_, accesses)| accesses.len() == calls.len());
            if !same || !matched || calls.is_empty() {
                continue;
            }
            for (f, accesses) in &copies {
                let positions = accesses.iter().map(|((b, i), _)| (*f, *b, *i));
                self.access_at
                    .extend(positions.map(|at| (at, self.accesses.len())));
            }
            let function = &program.functions[copies[0].0];
            self.accesses.push(AccessSite {
                span,
                function: name_of(function),
                depth: loop_depths(function)[block],
                kind,
                order: orders.0,
                failure: orders.1,
                calls,
                around: [None, None],
            });
        }
    }

    fn add_fence(&mut self, program: &Program, span: Span, text: &Text, copies: &[&Statement]) {
        let Some(&((block, _), orderings)) = copies[0].fences.first() else {
            return;
        };
        let alone = copies.iter().all(|statement| {
            let one = statement.fences.len() == 1 && statement.fences[0].1 == orderings;
            one && statement.accesses.is_empty() && !statement.other
        });
        let found = match program.process {
            true => text.statement(span),
            false => Some((text.bytes(span), false)),
        };
        let Some((range, is_body)) = found.filter(|_| alone && !orderings.is_empty()) else {
            return;
        };
        for statement in copies {
            let (b, i) = statement.fences[0].0;
            self.fence_at
                .insert((statement.function, b, i), self.fences.len());
        }
        let function = &program.functions[copies[0].function];
        self.fences.push(FenceSite {
            span,
            function: name_of(function),
            depth: loop_depths(function)[block],
            orderings,
            range,
            is_body,
            place: None,
        });
    }
}

/// A text, read as far as it matters here.
struct Text<'t> {
    text: &'t str,
    tokens: Vec<(usize, Token<'t>)>,
    calls: Vec<Call>,
    lines: Vec<usize>,
}

impl<'t> Text<'t> {
    fn new(text: &'t str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Text {
            text,
            tokens: tokens(text),
            calls: calls(text),
            lines: std::iter::once(0).chain(breaks).collect(),
        }
    }

    fn bytes(&self, span: Span) -> Range<usize> {
        let line = (span.line as usize).checked_sub(1);
        let start = line.and_then(|line| self.lines.get(line)).copied();
        let start = start.unwrap_or(self.text.len());
        let byte = |column: u32| {
            let mut characters = self.text[start..].char_indices();
            let found = characters.nth(column as usize);
            found.map_or(self.text.len(), |(byte, _)| start + byte)
        };
        let first = span.column.saturating_sub(1);
        byte(first)..byte(first + span.length)
    }

    /// The calls in a statement that do something.
    fn calls(&self, span: Span, kind: AccessKind) -> Vec<Call> {
        let bytes = self.bytes(span);
        let calls = self.calls.iter();
        let calls = calls.filter(|call| call.kind == kind && bytes.contains(&call.range.start));
        calls.cloned().collect()
    }

    /// The bytes of a statement that is one call, and whether it is the body of another.
    fn statement(&self, span: Span) -> Option<(Range<usize>, bool)> {
        let start = self.bytes(span).start;
        let first = self.tokens.iter().position(|(at, _)| *at == start)?;
        let Token::Word(name) = self.tokens[first].1 else {
            return None;
        };
        if ["if", "while", "for", "switch", "return"].contains(&name) {
            return None;
        }
        let qualifiers = ["volatile", "__volatile__", "__volatile"];
        let rest = self.tokens[first + 1..].iter();
        let skipped =
            rest.take_while(|(_, t)| matches!(t, Token::Word(w) if qualifiers.contains(w)));
        let open = first + 1 + skipped.count();
        let (_, end) = arguments(self.text, &self.tokens, open)?;
        let (semicolon, last) = *self.tokens.iter().find(|(at, _)| *at >= end)?;
        let before = first.checked_sub(1).map(|index| self.tokens[index].1);
        let is_body = !matches!(before, Some(Token::Sign(';' | '{' | '}')));
        (last == Token::Sign(';')).then_some((start..semicolon + 1, is_body))
    }
}
