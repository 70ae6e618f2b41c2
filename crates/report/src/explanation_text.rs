//! An explanation as text: in full, with the source underlined, and in short.

use crate::diagnostic::bytes;
use crate::explanation::{Explanation, Place, line};
use crate::sites::file_name;
use crate::view::View;
use crate::wrap::{lines, wrapped};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use program::{Program, Source, Span};

/// Room that a message has less than a line of source.
const INDENT: usize = 14;

/// What failed, with the places involved underlined, its cause, and what helps. The title is left out: it is part of the verdict.
pub(crate) fn explanation_text(
    program: &Program,
    explanation: &Explanation,
    view: &View,
) -> String {
    let mut group = Group::with_level(Level::ERROR);
    for element in sources(program, explanation) {
        group = group.element(element);
    }
    let width = view.width.saturating_sub(INDENT).max(40);
    for (name, text) in notes(program, explanation, view) {
        let level = match name {
            "cause" => Level::ERROR,
            "help" => Level::HELP,
            _ => Level::NOTE,
        };
        group = group.element(level.with_name(name).message(wrapped(&text, width, "")));
    }
    if group.is_empty() {
        return String::new();
    }
    let renderer = if view.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.term_width(view.width).render(&[group]) + "\n"
}

/// What is said beside the source, each under a name.
pub(crate) fn notes(
    program: &Program,
    explanation: &Explanation,
    view: &View,
) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    let causes = explanation.causes(program).into_iter();
    notes.extend(causes.map(|cause| ("cause", cause)));
    notes.extend(buffered_text(program, explanation).map(|text| ("note", text)));
    let sequential = explanation.sequential_text();
    notes.extend(sequential.map(|text| ("note", text.to_owned())));
    let fences = explanation.fences(program);
    if !fences.is_empty() {
        notes.push(("help", format!("this forbids it: {}", fences.join("; "))));
    }
    let replay = view.replay.iter();
    notes.extend(replay.map(|command| ("replay", command.clone())));
    let code = explanation.code;
    notes.push(("more", format!("fencepost explain {code}")));
    notes
}

/// `still in the store buffer of thread 1 (worker): turn=1 (line 40)`.
fn buffered_text(program: &Program, explanation: &Explanation) -> Option<String> {
    let mut threads: Vec<(&str, Vec<String>)> = Vec::new();
    for store in &explanation.buffered {
        let place = match store.span {
            Span::NOWHERE => String::new(),
            span => format!(" ({})", line(program, span)),
        };
        let text = format!("{}={}{place}", store.location, store.value);
        let name = store.thread_name.as_str();
        match threads.iter_mut().find(|(known, _)| *known == name) {
            Some((_, stores)) => stores.push(text),
            None => threads.push((name, vec![text])),
        }
    }
    let threads: Vec<String> = threads
        .iter()
        .map(|(name, stores)| format!("{} in that of {name}", stores.join(", ")))
        .collect();
    (!threads.is_empty())
        .then(|| format!("still in a store buffer at the end: {}", threads.join("; ")))
}

/// A snippet for each file, that of the failure first; just its name where there is no text.
fn sources<'p>(program: &'p Program, explanation: &'p Explanation) -> Vec<Element<'p>> {
    let primary = explanation.primary.iter().map(|place| (place, true));
    let secondary = explanation.secondary.iter().map(|place| (place, false));
    let places: Vec<(&Place, bool)> = primary.chain(secondary).collect();
    let mut files: Vec<u16> = Vec::new();
    for (place, _) in &places {
        if !files.contains(&place.span.file) {
            files.push(place.span.file);
        }
    }
    let element = |file: u16| {
        let mut own = places
            .iter()
            .filter(|(place, _)| place.span.file == file)
            .peekable();
        let first = own.peek()?.0.span;
        let source = program.file(first)?;
        if !has_line(source, first) {
            let origin = Origin::path(&*source.name).line(first.line as usize);
            return Some(origin.into());
        }
        let annotations = own.map(|(place, primary)| {
            let kind = if *primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let annotation = kind.span(bytes(source, place.span));
            match place.label.as_str() {
                "" => annotation,
                label => annotation.label(label),
            }
        });
        let snippet = Snippet::source(&*source.text).path(&*source.name);
        Some(snippet.annotations(annotations).into())
    };
    files.into_iter().filter_map(element).collect()
}

fn has_line(source: &Source, span: Span) -> bool {
    source
        .text
        .lines()
        .nth((span.line as usize).saturating_sub(1))
        .is_some()
}

/// The same in at most five lines of text, which may be broken: what failed, the cause, and what helps.
pub(crate) fn brief_text(program: &Program, explanation: &Explanation, view: &View) -> String {
    let place = explanation
        .primary
        .as_ref()
        .or(explanation.secondary.first());
    let place = place.map_or(String::new(), |place| {
        format!(" ({}:{})", file_name(program, place.span), place.span.line)
    });
    let mut text = vec![format!(
        "violated under {}: {}{place}",
        explanation.model, explanation.headline
    )];
    let causes = explanation.causes(program);
    match causes.as_slice() {
        [] => {}
        [cause] => text.push(format!("cause: {cause}")),
        [cause, other] => text.push(format!("cause: {cause}; {other}")),
        [cause, others @ ..] => {
            text.push(format!(
                "cause: {cause}; and {} more like this",
                others.len()
            ));
        }
    }
    text.extend(explanation.sequential_text().map(str::to_owned));
    let fences = explanation.fences(program);
    if let [fence, others @ ..] = fences.as_slice() {
        let more = match others.len() {
            0 => String::new(),
            1 => format!("; {}", others[0]),
            more => format!("; and {more} more"),
        };
        text.push(format!("fix: {fence}{more}"));
    }
    text.extend(
        view.replay
            .iter()
            .map(|command| format!("replay: {command}")),
    );
    let text = text.iter();
    let text = text.flat_map(|line| lines(line, view.width, "  "));
    text.map(|line| line + "\n").collect()
}
