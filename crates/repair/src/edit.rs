//! The text of a program with fences, as a person would write them.

use crate::c::position;
use crate::litmus::is_before;
use crate::place::Marked;
use crate::search::Fence;
use crate::statements::points;
use program::{Program, Source, Span};
use std::collections::BTreeMap;

/// The files that change, with their new texts.
pub fn edited(program: &Program, marked: &Marked, fences: &[Fence]) -> Vec<Source> {
    let mut by_file: BTreeMap<u16, Vec<(Span, &str)>> = BTreeMap::new();
    for fence in fences {
        let at = marked.places[fence.place.0].at;
        let texts = by_file.entry(at.file).or_default();
        texts.push((at, &fence.kind.text));
    }
    let edited = by_file.into_iter().filter_map(|(file, mut fences)| {
        let source = program.file(Span {
            file,
            ..Span::NOWHERE
        })?;
        fences.sort();
        let text = match program.process {
            true => c_text(&source.text, &fences),
            false => litmus_text(program, &source.text, &fences),
        };
        Some(Source::new(source.name.clone(), text))
    });
    edited.collect()
}

/// A fence after a statement that ends its line is a line of its own.
fn c_text(text: &str, fences: &[(Span, &str)]) -> String {
    let mut edited = text.to_owned();
    for point in points(text).into_iter().rev() {
        let at = position(text, point.offset);
        let here = fences
            .iter()
            .filter(|(span, _)| (span.line, span.column) == at);
        // The last is put in first.
        for (_, fence) in here.rev() {
            let rest = &text[point.offset..];
            let line_end = rest.find('\n').map_or(text.len(), |end| point.offset + end);
            let rest = text[point.offset..line_end].trim();
            if rest.is_empty()
                || rest.starts_with("//")
                || rest.starts_with("/*") && rest.ends_with("*/")
            {
                let indent = indentation(text, point.indented_as, line_end);
                let line = format!("\n{indent}{fence};");
                edited.insert_str(line_end, &line);
            } else {
                edited.insert_str(point.offset, &format!(" {fence};"));
            }
        }
    }
    edited
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
fn litmus_text(program: &Program, text: &str, fences: &[(Span, &str)]) -> String {
    let mut edited = String::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let here = fences
            .iter()
            .filter(|(span, _)| span.line as usize == number + 1);
        let here: Vec<(Span, &str)> = here.copied().collect();
        if here.is_empty() {
            edited += line;
            continue;
        }
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let rows = match line.trim_end().ends_with(';') {
            true => table_rows(program, line, &here),
            // A processor's instructions, one in each line.
            false => stack(program, line, 1, &here, true),
        };
        edited += &rows.join("\n");
        edited += end;
    }
    edited
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
