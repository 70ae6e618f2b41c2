//! The text of a program with changes, as a person would write them.

use crate::access::FenceSite;
use crate::c::position;
use crate::calls::TextEdit;
use crate::candidate::Change;
use crate::litmus::is_before;
use crate::place::{Marked, Placement};
use crate::statements::points;
use memory::{Model, c11};
use program::{MemoryOrder, Orderings, Program, Source, Span};
use std::collections::BTreeMap;

/// The files that change, with their new texts.
pub fn edited(program: &Program, marked: &Marked, changes: &[Change]) -> Vec<Source> {
    let mut fences: BTreeMap<u16, Vec<(Span, &str)>> = BTreeMap::new();
    let mut edits = Edits::default();
    for change in changes {
        match change {
            Change::Fence { place, kind } => {
                let at = marked.places[place.0].at.unwrap_or(Span::NOWHERE);
                let texts = fences.entry(at.file).or_default();
                texts.push((at, &kind.text));
            }
            Change::Order { access, .. } => {
                let site = &marked.accesses[*access];
                let order = joined(orders_of(*access, changes));
                edits.of(site.span).extend(site.edits(order));
            }
            Change::Stays { .. } => {}
        }
    }
    for (file, mut fences) in fences {
        let span = Span {
            file,
            ..Span::NOWHERE
        };
        let Some(source) = program.file(span) else {
            continue;
        };
        fences.sort();
        edits.of(span).extend(match program.process {
            true => c_fences(&source.text, &fences),
            false => litmus_fences(program, &source.text, &fences),
        });
    }
    edits.texts(program)
}

/// The files that change if nothing is left of the fences and orders that can be taken out but what stays.
pub fn reduced(program: &Program, marked: &Marked, stays: &[Change], model: Model) -> Vec<Source> {
    let mut edits = Edits::default();
    for (index, site) in marked.accesses.iter().enumerate() {
        let order = order_left(marked, index, stays, model);
        if order != site.order {
            edits.of(site.span).extend(site.edits(order));
        }
    }
    for (index, fence) in marked.fences.iter().enumerate() {
        let left = fence_left(marked, index, stays, model);
        let Some((text, source)) = left.zip(program.file(fence.span)) else {
            continue;
        };
        edits.of(fence.span).push(match program.process {
            true => c_replacement(&source.text, fence, text),
            false => litmus_replacement(fence, text),
        });
    }
    edits.texts(program)
}

/// The order that is left of an access: the one that stays, else the strongest that does nothing under the model.
pub fn order_left(marked: &Marked, access: usize, stays: &[Change], model: Model) -> MemoryOrder {
    let site = &marked.accesses[access];
    let stay = joined(orders_of(access, stays));
    if !site.order.is_ordering() {
        return site.order;
    }
    if stay.is_ordering() {
        return stay;
    }
    let does_nothing = |placement: &Placement| {
        let mut effects = placement.iter().map(|(_, o)| model.effective(o));
        effects.all(|effect| effect.is_empty())
    };
    let weaker = site.orders().filter(|(order, _)| site.weakens(*order));
    let weaker = weaker.filter(|(_, placement)| does_nothing(placement));
    let strongest = weaker
        .map(|(order, _)| order)
        .max_by_key(|order| *order as usize);
    strongest.unwrap_or(MemoryOrder::Relaxed)
}

/// What is written in the place of a fence; nothing if it stays as it is.
pub fn fence_left<'c>(
    marked: &Marked,
    fence: usize,
    stays: &'c [Change],
    model: Model,
) -> Option<&'c str> {
    let effect = model.effective(marked.fences[fence].orderings);
    let mut left = stays.iter().filter_map(|change| match change {
        Change::Stays { fence: of, weaker } if *of == fence => Some(weaker),
        _ => None,
    });
    match left.next() {
        Some(weaker) => weaker.as_ref().map(|kind| kind.text.as_str()),
        // What does nothing under the model is left to others.
        None => (!effect.is_empty()).then_some(""),
    }
}

fn orders_of(access: usize, changes: &[Change]) -> impl Iterator<Item = MemoryOrder> + '_ {
    changes.iter().filter_map(move |change| match change {
        Change::Order { access: of, order } if *of == access => Some(*order),
        _ => None,
    })
}

/// The weakest order that keeps what several keep.
fn joined(orders: impl Iterator<Item = MemoryOrder>) -> MemoryOrder {
    let all = orders.fold(Orderings::NONE, |all, order| all.union(c11::fence(order)));
    let mut known = MemoryOrder::NAMED.into_iter().map(|(order, _)| order);
    let found = known.find(|order| c11::fence(*order).contains(all));
    found.unwrap_or(MemoryOrder::SequentiallyConsistent)
}

/// What changes in which file.
#[derive(Default)]
struct Edits(BTreeMap<u16, Vec<TextEdit>>);

impl Edits {
    fn of(&mut self, span: Span) -> &mut Vec<TextEdit> {
        self.0.entry(span.file).or_default()
    }

    fn texts(self, program: &Program) -> Vec<Source> {
        let texts = self.0.into_iter().filter_map(|(file, mut edits)| {
            let source = program.file(Span {
                file,
                ..Span::NOWHERE
            })?;
            edits.sort_by_key(|(range, _)| (range.start, range.end));
            // Several orders of an access are written as one.
            edits.dedup_by(|one, other| one == other && !one.0.is_empty());
            let mut text = source.text.to_string();
            for (range, new) in edits.into_iter().rev() {
                text.replace_range(range, &new);
            }
            (text != *source.text).then(|| Source::new(source.name.clone(), text))
        });
        texts.collect()
    }
}

/// A fence after a statement that ends its line is a line of its own.
fn c_fences(text: &str, fences: &[(Span, &str)]) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    for point in points(text) {
        let at = position(text, point.offset);
        let here = fences
            .iter()
            .filter(|(span, _)| (span.line, span.column) == at);
        for (_, fence) in here {
            let rest = &text[point.offset..];
            let line_end = rest.find('\n').map_or(text.len(), |end| point.offset + end);
            edits.push(match is_blank(&text[point.offset..line_end]) {
                true => {
                    let indent = indentation(text, point.indented_as, line_end);
                    (line_end..line_end, format!("\n{indent}{fence};"))
                }
                false => (point.offset..point.offset, format!(" {fence};")),
            });
        }
    }
    edits
}

/// Whether the rest of a line has no code.
pub(crate) fn is_blank(rest: &str) -> bool {
    let rest = rest.trim();
    rest.is_empty()
        || rest.starts_with("//")
        || rest.starts_with("/*") && rest.find("*/") == Some(rest.len() - 2)
}

/// A statement that has its lines for itself goes with them, and with the remark behind it.
fn c_replacement(text: &str, fence: &FenceSite, new: &str) -> TextEdit {
    let range = fence.range.clone();
    if !new.is_empty() {
        return (range, format!("{new};"));
    }
    if fence.is_body {
        return (range, "{}".to_owned());
    }
    let start = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[range.end..].find('\n');
    let end = end.map_or(text.len(), |end| range.end + end + 1);
    let before = &text[start..range.start];
    if before.trim().is_empty() && is_blank(&text[range.end..end]) {
        return (start..end, String::new());
    }
    let blanks = before.len() - before.trim_end_matches(' ').len();
    (range.start - blanks..range.end, String::new())
}

fn litmus_replacement(fence: &FenceSite, new: &str) -> TextEdit {
    let width = fence.range.len();
    (fence.range.clone(), format!("{new:width$}"))
}

/// The indentation of the statement at a byte, or that of the next line if the statement is not the first of its line.
fn indentation(text: &str, statement: usize, line_end: usize) -> &str {
    let start = text[..statement].rfind('\n').map_or(0, |end| end + 1);
    let own = text[start..statement].trim().is_empty();
    let line = if own {
        start
    } else {
        (line_end + 1).min(text.len())
    };
    let line = &text[line..];
    let blank = line.find(|c: char| c != ' ' && c != '\t');
    &line[..blank.unwrap_or(0)]
}

/// Fences before and after the instruction of a cell become cells below each other, in new rows.
fn litmus_fences(program: &Program, text: &str, fences: &[(Span, &str)]) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let range = start..start + line.trim_end_matches('\n').len();
        start += line.len();
        let here = fences
            .iter()
            .filter(|(span, _)| span.line as usize == number + 1);
        let here: Vec<(Span, &str)> = here.copied().collect();
        if here.is_empty() {
            continue;
        }
        let line = &text[range.clone()];
        let rows = match line.trim_end().ends_with(';') {
            true => table_rows(program, line, &here),
            // A processor's instructions, one in each line.
            false => stack(program, line, 1, &here, true),
        };
        edits.push((range, rows.join("\n")));
    }
    edits
}

/// The rows of a table that a row becomes.
fn table_rows(program: &Program, line: &str, fences: &[(Span, &str)]) -> Vec<String> {
    let body = line.trim_end().trim_end_matches(';');
    let mut column = 1;
    let mut cells: Vec<Vec<String>> = Vec::new();
    let mut widths = Vec::new();
    for cell in body.split('|') {
        let width = cell.chars().count();
        let columns = column..=column + width as u32;
        let own = fences
            .iter()
            .filter(|(span, _)| columns.contains(&span.column));
        let own: Vec<(Span, &str)> = own.copied().collect();
        cells.push(stack(program, cell, column, &own, false));
        let widest = cells
            .last()
            .into_iter()
            .flatten()
            .map(|c| c.chars().count());
        widths.push(widest.max().unwrap_or(0).max(width));
        column += width as u32 + 1;
    }
    let count = cells.iter().map(Vec::len).max().unwrap_or(1);
    let row = |index: usize| {
        let columns = cells.iter().zip(&widths).map(|(cell, width)| {
            let text = cell.get(index).map_or("", String::as_str);
            format!("{text:width$}")
        });
        format!("{};", columns.collect::<Vec<_>>().join("|"))
    };
    (0..count).map(row).collect()
}

/// A cell with fences before and after its instruction, one below the other. A label stays at the first, a remark at
/// the instruction.
fn stack(
    program: &Program,
    cell: &str,
    first: u32,
    fences: &[(Span, &str)],
    list: bool,
) -> Vec<String> {
    let (before, after): (Vec<_>, Vec<_>) = fences
        .iter()
        .partition(|(span, _)| is_before(program, *span));
    let blank = cell.chars().take_while(|c| c.is_whitespace()).count();
    // Where the instruction starts, behind a label.
    let label = cell.find(':').map(|colon| {
        let rest = cell[colon + 1..].chars();
        cell[..=colon].chars().count() + rest.take_while(|c| c.is_whitespace()).count()
    });
    let start = match before.first() {
        Some((span, _)) => (span.column - first) as usize,
        None => label.unwrap_or(blank),
    };
    let byte = cell
        .char_indices()
        .nth(start)
        .map_or(cell.len(), |(byte, _)| byte);
    let (label, instruction) = cell.split_at(byte);
    let indent = " ".repeat(if list { start } else { blank });
    let texts = before.iter().map(|(_, text)| (*text).to_owned());
    let texts = texts.chain([instruction.to_owned()]);
    let texts = texts.chain(after.iter().map(|(_, text)| match list {
        true => (*text).to_owned(),
        false => format!("{text} "),
    }));
    let lines = texts.enumerate().map(|(index, text)| match index {
        0 => format!("{label}{text}"),
        _ => format!("{indent}{text}"),
    });
    lines.collect()
}
