//! The report as a page: one file that needs nothing else and asks the network for nothing.
//!
//! Everything stands in the markup, so that the page can be read without its script: verdicts, explanations, the executions as pictures, the
//! source. The script steps through executions, from data in the page. A text of the program is escaped where it stands in the markup,
//! and in data so that it cannot end them.

mod moments;
mod source;

use crate::check::verdict_line;
use crate::explanation::Explanation;
use crate::explanation_text::notes;
use crate::format::{Command, Report};
use crate::graph::Graph;
use crate::html::moments::moments_json;
use crate::html::source::source_html;
use crate::measures::{count, size, time};
use crate::outcomes::{is_open, outcome_rows, satisfies};
use crate::palette;
use crate::refine::Refined;
use crate::robust;
use crate::svg::{STYLE, escaped, svg};
use crate::values::observed_text;
use crate::view::View;
use answer::{ModelResult, Verdict, Violation};
use program::Program;
use serde_json::Value;

const PAGE_STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// What the browser may do with the page: show it, and load nothing.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// A section of a page: what one question came to under one model.
pub struct Section {
    /// What sets it apart: `tso`, `T0 = (e|d) under relaxed`.
    name: String,
    /// Nothing for a list of outcomes.
    verdict: Option<Verdict>,
    /// What was found, in a sentence.
    answer: String,
    /// How much was searched, and how long it took.
    effort: String,
    body: Body,
}

/// What is found below the answer.
struct Body {
    notes: Vec<(&'static str, String)>,
    /// Tables as text.
    tables: Vec<String>,
    picture: Option<String>,
    moments: Value,
    /// The execution is not one of a machine.
    is_claimed: bool,
    source: String,
}

/// The report on one program as a page.
pub fn html_text(report: &Report) -> String {
    let program = report.program;
    // That a condition does not hold is no news in a list of outcomes.
    let goes_wrong = |result: &ModelResult| {
        let violation = result.violation.as_ref();
        violation.is_some_and(|v| !matches!(v, Violation::FinalState(_) | Violation::NoWitness))
    };
    let is_list = |result: &ModelResult| report.command == Command::Outcomes && !goes_wrong(result);
    let sections = report.results.iter().enumerate();
    let sections = sections.map(|(index, result)| {
        let answer = match report.command {
            Command::Robust => robust::answer(result),
            Command::Outcomes if is_list(result) => list_answer(result),
            _ => verdict_line(program, result),
        };
        Section {
            name: result.model.to_string(),
            verdict: Some(result.verdict).filter(|_| !is_list(result)),
            answer: answer.trim_end().to_owned(),
            effort: format!(
                "engine {}, {} in {}",
                result.engine,
                size(result),
                time(result.time)
            ),
            body: body(program, result, Vec::new(), index, report.view),
        }
    });
    let sections: Vec<Section> = sections.collect();
    let table = match report.command {
        Command::Outcomes => outcomes_html(program, report.results),
        _ => String::new(),
    };
    page(
        &program.source.name,
        report.command.name(),
        &table,
        &sections,
    )
}

/// How many outcomes there are, and whether that is all.
fn list_answer(result: &ModelResult) -> String {
    let outcomes = count(result.outcomes.len() as u64, "outcome");
    match result.bounds.is_empty() {
        true => format!("{outcomes} under {}", result.model),
        false => format!(
            "{outcomes} under {} within {}",
            result.model,
            result.covers()
        ),
    }
}

/// What a client of a data type came to under one model. `index` is its number on the page.
pub fn refined_section(refined: &Refined, index: usize, view: &View) -> Section {
    let result = refined.shown_result();
    Section {
        name: refined.heading(),
        verdict: Some(result.verdict),
        answer: refined.answer(),
        effort: format!("engine {}, in {}", result.engine, time(refined.work.total)),
        body: body(refined.program, &result, refined.tables(), index, view),
    }
}

/// The report on the clients of a data type as a page.
pub fn refined_html(file: &str, sections: &[Section]) -> String {
    page(file, "refine", "", sections)
}

fn body(
    program: &Program,
    result: &ModelResult,
    tables: Vec<String>,
    index: usize,
    view: &View,
) -> Body {
    let explanation = Explanation::new(program, result);
    let graph = Graph::new(program, result, view);
    let graph = graph.filter(|graph| !graph.nodes.is_empty());
    let warnings = result.warnings.iter();
    let warnings = warnings.map(|warning| ("warning", warning.message.clone()));
    let explained = explanation.iter();
    let explained = explained.flat_map(|explanation| notes(program, explanation, view));
    let title = format!("{} under {}", program.source.name, result.model);
    Body {
        notes: warnings.chain(explained).collect(),
        tables,
        moments: graph
            .as_ref()
            .map_or(Value::Null, |graph| moments_json(program, result, graph)),
        picture: graph
            .as_ref()
            .map(|graph| svg(graph, &format!("p{index}-"), &title, None)),
        is_claimed: result.execution.as_ref().is_some_and(|e| !e.replayed),
        source: source_html(program, explanation.as_ref(), graph.as_ref()),
    }
}

fn page(file: &str, command: &str, table: &str, sections: &[Section]) -> String {
    let worst = sections
        .iter()
        .filter_map(|section| section.verdict)
        .max_by_key(|verdict| match verdict {
            Verdict::Violated => 2,
            Verdict::Undecided => 1,
            Verdict::Holds => 0,
        });
    let worst = worst.map_or(String::new(), badge);
    let name = escaped(file.rsplit('/').next().unwrap_or(file));
    let (file, command) = (escaped(file), escaped(command));
    let colors = palette::variables();
    let overview = overview_html(sections);
    let articles = sections.iter().enumerate();
    let articles: String = articles
        .map(|(index, section)| section_html(index, section))
        .collect();
    let data: Vec<&Value> = sections
        .iter()
        .map(|section| &section.body.moments)
        .collect();
    let data = in_script(&serde_json::json!(data));
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Fencepost">
<title>{name} – Fencepost</title>
<link rel="icon" href="data:,">
<style>
{colors}{PAGE_STYLE}{STYLE}</style>
</head>
<body>
<header class="top">
<div><p class="command">fencepost {command}</p><h1 title="{file}">{name} {worst}</h1></div>
<button id="theme" type="button" hidden>Theme: auto</button>
</header>
<main>
{table}{overview}{articles}</main>
<script type="application/json" id="moments">{data}</script>
<script>
{SCRIPT}</script>
</body>
</html>
"##
    )
}

fn badge(verdict: Verdict) -> String {
    let class = match verdict {
        Verdict::Holds => "good",
        Verdict::Violated => "bad",
        Verdict::Undecided => "open",
    };
    format!("<span class=\"badge {class}\">{verdict}</span>")
}

/// Data that cannot end the script they stand in, whatever is written in them.
fn in_script(data: &Value) -> String {
    let text = data.to_string();
    let text = text.replace('&', "\\u0026").replace('<', "\\u003c");
    text.replace('>', "\\u003e")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// A line for each section, which leads to it.
fn overview_html(sections: &[Section]) -> String {
    let mut html = String::from("<nav class=\"overview\" aria-label=\"Results\"><ul>\n");
    for (index, section) in sections.iter().enumerate() {
        let name = escaped(&section.name);
        let badge = section.verdict.map_or(String::new(), badge);
        let effort = escaped(&section.effort);
        html += &format!(
            "<li><a href=\"#r{index}\"><b>{name}</b> {badge} <small>{effort}</small></a></li>\n"
        );
    }
    html + "</ul></nav>\n"
}

fn section_html(index: usize, section: &Section) -> String {
    let Section { answer, body, .. } = section;
    let answer = escaped(answer);
    let mut html = format!(
        "<article id=\"r{index}\" tabindex=\"-1\">\n<h2>{answer}</h2>\n{}",
        notes_html(&body.notes)
    );
    for table in &body.tables {
        html += &format!(
            "<pre class=\"table\" tabindex=\"0\">{}</pre>\n",
            escaped(table)
        );
    }
    let source = match body.source.as_str() {
        "" => String::new(),
        source => format!(
            "<section class=\"source\" aria-label=\"Source\" tabindex=\"0\">{source}</section>\n"
        ),
    };
    let Some(picture) = &body.picture else {
        return format!("{html}{source}</article>\n");
    };
    let claimed = if body.is_claimed {
        " in memory order, not replayed on a machine"
    } else {
        ""
    };
    html += &format!(
        r##"<h3>Execution<small>{claimed}</small></h3>
<div class="stepper" hidden>
<div class="buttons" role="group" aria-label="Steps">
<button type="button" data-go="first" aria-label="To the start" title="To the start (Home)">|◀</button>
<button type="button" data-go="back" aria-label="A step back" title="A step back (←)">◀</button>
<button type="button" data-go="next" aria-label="A step forward" title="A step forward (→)">▶</button>
<button type="button" data-go="last" aria-label="To the end" title="To the end (End)">▶|</button>
</div>
<input type="range" min="0" value="0" aria-label="Step">
<output class="count"></output>
<p class="now" role="status" aria-live="polite"></p>
</div>
<div class="panes">
<section class="graph">
<div class="legend">{LEGEND}</div>
<div class="scroll" tabindex="0" aria-label="Execution as a graph">
{picture}</div>
</section>
<section class="state" aria-label="State" hidden></section>
{source}</div>
"##
    );
    html + "</article>\n"
}

/// The relations, each with a switch.
const LEGEND: &str = r#"<label class="po"><input type="checkbox" data-edges="po" checked> po <span>program order</span></label>
<label class="rf"><input type="checkbox" data-edges="rf" checked> rf <span>reads-from</span></label>
<label class="co"><input type="checkbox" data-edges="co" checked> co <span>coherence</span></label>
<label class="fr"><input type="checkbox" data-edges="fr" checked> fr <span>from-read</span></label>
<span class="cycle-key">critical cycle</span>"#;

fn notes_html(notes: &[(&'static str, String)]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let notes = notes.iter().map(|(name, text)| {
        let text = escaped(text);
        let text = match *name {
            "more" | "replay" => format!("<code>{text}</code>"),
            _ => text,
        };
        format!("<div class=\"{name}\"><dt>{name}</dt><dd>{text}</dd></div>\n")
    });
    format!("<dl class=\"notes\">\n{}</dl>\n", notes.collect::<String>())
}

/// All final states, models side by side.
fn outcomes_html(program: &Program, results: &[ModelResult]) -> String {
    let rows = outcome_rows(program, results);
    let head = program
        .observed
        .iter()
        .map(|observable| escaped(&observable.name));
    let models = results.iter().map(|result| result.model.to_string());
    let head: String = head
        .chain(models)
        .map(|name| format!("<th scope=\"col\">{name}</th>"))
        .collect();
    let mut html = format!(
        "<section class=\"outcomes\" aria-label=\"Outcomes\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">#</th>{head}</tr></thead>\n<tbody>\n"
    );
    for (index, outcome) in rows.iter().enumerate() {
        let class = if satisfies(program, outcome) {
            " class=\"witness\" title=\"satisfies the condition\""
        } else {
            ""
        };
        html += &format!("<tr{class}><th scope=\"row\">{}</th>", index + 1);
        for (observable, word) in program.observed.iter().zip(&outcome.0) {
            let value = escaped(&observed_text(program, observable, *word));
            html += &format!("<td>{value}</td>");
        }
        for result in results {
            html += match (result.outcomes.contains(outcome), is_open(result)) {
                (true, _) => "<td class=\"yes\">allowed</td>",
                (false, true) => "<td class=\"open\">not known</td>",
                (false, false) => "<td class=\"no\">–</td>",
            };
        }
        html += "</tr>\n";
    }
    html + "</tbody></table></section>\n"
}
