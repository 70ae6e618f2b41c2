//! Complaints about input files, in the manner of rustc.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use program::{Diagnostic, Source, Span};
use std::ops::Range;

/// A complaint with the offending text underlined, for a terminal if `color`.
pub fn diagnostic(d: &Diagnostic, color: bool) -> String {
    let path = &*d.source.name;
    let title = Level::ERROR.primary_title(d.message.as_str());
    let mut report: Group<'_> = if d.span == Span::NOWHERE {
        title.element(Origin::path(path))
    } else {
        title.element(snippet(d))
    };
    if d.span == Span::NOWHERE && !d.label.is_empty() {
        report = report.element(Level::NOTE.message(d.label.as_str()));
    }
    for (span, message) in &d.others {
        if *span == Span::NOWHERE || d.span == Span::NOWHERE {
            report = report.element(Level::NOTE.message(message.as_str()));
        }
    }
    if let Some(help) = &d.help {
        report = report.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = renderer.render(&[report]);
    text.push('\n');
    text
}

fn snippet(d: &Diagnostic) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let primary = AnnotationKind::Primary.span(bytes(&d.source, d.span));
    let primary = match d.label.as_str() {
        "" => primary,
        label => primary.label(label),
    };
    let others = d.others.iter().filter(|(span, _)| *span != Span::NOWHERE);
    let others = others.map(|(span, message)| {
        let span = bytes(&d.source, *span);
        AnnotationKind::Context.span(span).label(message.as_str())
    });
    Snippet::source(&*d.source.text)
        .path(&*d.source.name)
        .annotation(primary)
        .annotations(others)
}

/// The bytes under `span`, cut to its line; the end of the file where the span
/// lies behind it.
pub(crate) fn bytes(source: &Source, span: Span) -> Range<usize> {
    let text = &*source.text;
    let index = (span.line as usize).saturating_sub(1);
    let mut lines = text.split_inclusive('\n');
    let start: usize = lines.by_ref().take(index).map(str::len).sum();
    let line = lines.next().unwrap_or("").trim_end_matches(['\r', '\n']);
    let byte = |column: usize| {
        let found = line.char_indices().nth(column);
        start + found.map_or(line.len(), |(byte, _)| byte)
    };
    let column = (span.column as usize).saturating_sub(1);
    byte(column)..byte(column.saturating_add(span.length as usize))
}
