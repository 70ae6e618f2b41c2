//! The source beside an execution: the files in which it happens, with the places that the explanation names marked and labelled.

use crate::explanation::{Explanation, Place};
use crate::frames::Frames;
use crate::graph::Graph;
use crate::html::moments::place;
use crate::svg::escaped;
use program::{Program, Source, Span};
use std::collections::BTreeSet;

/// Of longer files only the lines around those that matter are shown.
const MOST_LINES: usize = 2000;
/// That many before and after each.
const AROUND: usize = 30;

/// The files that a result speaks of; nothing if there is no text.
pub(crate) fn source_html(
    program: &Program,
    explanation: Option<&Explanation>,
    graph: Option<&Graph>,
) -> String {
    let frames = Frames::new(program);
    let nodes = graph.iter().flat_map(|graph| &graph.nodes);
    let places = explanation.iter().flat_map(|explanation| {
        let primary = explanation.primary.iter().map(|place| (place, true));
        primary.chain(explanation.secondary.iter().map(|place| (place, false)))
    });
    let marks: Vec<(&Place, bool)> = places.collect();
    let spans = nodes.map(|node| node.span);
    let spans = spans.chain(marks.iter().map(|(place, _)| place.span));
    let mut spans: BTreeSet<Span> = spans
        .filter(|span| *span != Span::NOWHERE && !frames.is_system(*span))
        .collect();
    // The program's own file is shown in any case.
    spans.insert(Span::new(1, 1, 0));
    let files: BTreeSet<u16> = spans.iter().map(|span| span.file).collect();
    let files = files.into_iter().filter_map(|file| {
        let at = Span {
            file,
            ..Span::new(1, 1, 0)
        };
        let source = program.file(at).filter(|source| !source.text.is_empty())?;
        let lines = spans.iter().filter(|span| span.file == file);
        let lines: Vec<u32> = lines.map(|span| span.line).collect();
        Some(file_html(source, file, &lines, &marks))
    });
    files.collect()
}

fn file_html(source: &Source, file: u16, named: &[u32], marks: &[(&Place, bool)]) -> String {
    let name = escaped(&source.name);
    let mut html = format!("<section class=\"file\"><h4>{name}</h4><div class=\"lines\">\n");
    let all = source.text.lines().count();
    let is_shown = |line: usize| {
        all <= MOST_LINES
            || named
                .iter()
                .any(|named| line.abs_diff(*named as usize) <= AROUND)
    };
    let mut skipped = false;
    for (index, text) in source.text.lines().enumerate() {
        let number = index + 1;
        if !is_shown(number) {
            skipped = true;
            continue;
        }
        if std::mem::take(&mut skipped) {
            html += "<div class=\"line skipped\"><i></i><code>…</code></div>\n";
        }
        let here = |(place, _): &&(&Place, bool)| {
            place.span.file == file && place.span.line as usize == number
        };
        let marks: Vec<&(&Place, bool)> = marks.iter().filter(here).collect();
        html += &line_html(file, number, text, &marks);
    }
    html + "</div></section>\n"
}

fn line_html(file: u16, number: usize, text: &str, marks: &[&(&Place, bool)]) -> String {
    let kind = |is_primary: bool| if is_primary { "primary" } else { "secondary" };
    let class = match marks.iter().any(|(_, is_primary)| *is_primary) {
        _ if marks.is_empty() => String::new(),
        is_primary => format!(" {}", kind(is_primary)),
    };
    let at = Span {
        file,
        ..Span::new(number as u32, 1, 0)
    };
    let at = place(at).unwrap_or_default();
    let code = marked(text, marks);
    let mut html = format!(
        "<div class=\"line{class}\" data-at=\"{at}\"><i>{number}</i><code>{code}</code></div>\n"
    );
    let labels: BTreeSet<(bool, &str)> = marks
        .iter()
        .filter(|(place, _)| !place.label.is_empty())
        .map(|(place, is_primary)| (*is_primary, place.label.as_str()))
        .collect();
    for (is_primary, label) in labels {
        let (kind, label) = (kind(is_primary), escaped(label));
        html += &format!("<div class=\"pin {kind}\">{label}</div>\n");
    }
    html
}

/// The text of a line with the first of the places on each stretch marked.
fn marked(text: &str, marks: &[&(&Place, bool)]) -> String {
    let mut spans: Vec<(usize, usize, bool)> = marks
        .iter()
        .map(|(place, is_primary)| {
            let start = (place.span.column as usize).saturating_sub(1);
            (start, start + place.span.length as usize, *is_primary)
        })
        .collect();
    spans.sort_by_key(|(start, end, is_primary)| (*start, !*is_primary, *end));
    let characters: Vec<char> = text.chars().collect();
    let part = |start: usize, end: usize| {
        let part = characters.get(start..end.min(characters.len()));
        escaped(&part.unwrap_or_default().iter().collect::<String>())
    };
    let (mut html, mut done) = (String::new(), 0);
    for (start, end, is_primary) in spans {
        if start < done || start >= end || start >= characters.len() {
            continue;
        }
        let class = if is_primary { "primary" } else { "secondary" };
        html += &part(done, start);
        html += &format!("<mark class=\"{class}\">{}</mark>", part(start, end));
        done = end;
    }
    html + &part(done.min(characters.len()), characters.len())
}
