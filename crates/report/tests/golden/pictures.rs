//! Executions as graphs, and what the page steps through.

use crate::store_buffering as sb;
use answer::{Event, Execution, ModelResult, Step, Verdict, Violation};
use memory::Model;
use program::Program;
use report::{Command, Report, View, dot_text, html_text, svg_text};
use serde_json::{Value, json};
use std::time::Duration;

fn page(program: &Program, result: ModelResult) -> String {
    html_text(&Report {
        command: Command::Check,
        program,
        reading: Duration::ZERO,
        results: &[result],
        counts: false,
        view: &View::default(),
    })
}

/// The data of the page, read back as its script does.
fn moments(page: &str) -> Value {
    let (_, data) = page.split_once("id=\"moments\">").expect("the data");
    let (data, _) = data.split_once("</script>").expect("their end");
    let data: Value = serde_json::from_str(data).expect("JSON");
    data[0].clone()
}

/// Nodes and edges, without what only the eye needs.
fn lines(dot: &str, what: &str) -> Vec<String> {
    let lines = dot.lines().filter(|line| line.contains(what));
    let mut lines: Vec<String> = lines
        .map(|line| {
            let red = line.contains("crimson");
            let end = line.find([',', ']'].as_slice()).unwrap_or(line.len());
            format!("{}{}", line[..end].trim(), if red { " red" } else { "" })
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn the_graph_has_the_relations_and_the_cycle() {
    let view = View::default();
    let dot = dot_text(&sb::program(), &sb::under_tso(), &view).expect("an execution");
    assert_eq!(
        lines(&dot, "->"),
        [
            "n0 -> n1 [label=po red",
            "n1 -> n2 [label=fr red",
            "n2 -> n3 [label=po red",
            "n3 -> n0 [label=fr red",
        ]
    );
    let labels: Vec<&str> = dot
        .lines()
        .filter_map(|line| line.trim().strip_prefix('n')?.split_once("[label=\""))
        .filter_map(|(_, label)| label.split('"').next())
        .collect();
    assert_eq!(
        labels,
        [
            r"W x=1\nMOV [x],$1",
            r"R y=0\nMOV EAX,[y]",
            r"W y=1\nMOV [y],$1",
            r"R x=0\nMOV EAX,[x]",
        ]
    );
}

/// One store waits, the other is flushed before anybody could tell.
#[test]
fn a_store_that_waits_has_a_bar() {
    let svg = svg_text(&sb::program(), &sb::under_tso(), &View::default()).expect("an execution");
    assert_eq!(svg.matches("<path class=\"bar").count(), 1, "{svg}");
    assert_eq!(svg.matches("class=\"node flush").count(), 1, "{svg}");
    assert!(!svg.contains("var("), "{svg}");
    let none = ModelResult {
        execution: None,
        ..sb::under_tso()
    };
    assert_eq!(svg_text(&sb::program(), &none, &View::default()), None);
}

/// A store that is never flushed stays in the graph, and comes behind what missed it.
#[test]
fn a_store_that_is_never_flushed_is_drawn_to_the_end() {
    let mut execution = sb::execution();
    let flush = |step: &Step| matches!(&step.event, Event::Access(a) if a.issued_by == Some(0));
    execution.retain(|step| !flush(step));
    let result = ModelResult {
        execution: Some(execution),
        ..sb::under_tso()
    };
    let svg = svg_text(&sb::program(), &result, &View::default()).expect("an execution");
    assert!(svg.contains("1 store never flushed"), "{svg}");
    let dot = dot_text(&sb::program(), &result, &View::default()).expect("an execution");
    assert!(dot.contains("W x=1, never flushed"), "{dot}");
    assert!(
        lines(&dot, "->").contains(&"n3 -> n0 [label=fr red".to_owned()),
        "{dot}"
    );
}

#[test]
fn moments_change_memory_buffers_and_registers() {
    let data = moments(&page(&sb::program(), sb::under_tso()));
    assert_eq!(data["locations"], json!(["x", "y"]));
    assert_eq!(data["initial"], json!(["0", "0"]));
    let of = |field: &str| -> Vec<Value> {
        let moments = data["moments"].as_array().expect("moments").iter();
        moments.map(|moment| moment[field].clone()).collect()
    };
    assert_eq!(of("lane"), [0, 0, 1, 1, 0]);
    assert_eq!(
        of("buffer"),
        [
            json!([["in", 0, 0, "x=1"]]),
            json!([]),
            json!([["in", 1, 2, "y=1"], ["out", 1, 2]]),
            json!([]),
            json!([["out", 0, 0]]),
        ]
    );
    let memory = of("memory");
    assert_eq!(memory[2], json!([[1, "1"]]));
    assert_eq!(memory[4], json!([[0, "1"]]));
    assert_eq!(of("registers")[1], json!([[0, "RAX", "0"]]));
}

/// Sequential consistency has every execution of its own.
#[test]
fn there_is_no_cycle_under_sc() {
    let result = ModelResult {
        model: Model::Sc,
        ..sb::under_tso()
    };
    let critical = |result| {
        page(&sb::program(), result)
            .matches("critical\" data-from")
            .count()
    };
    assert_eq!(critical(result), 0);
    assert_eq!(critical(sb::under_tso()), 4);
}

/// Where steps run ahead of others, what a register holds at a moment is not known.
#[test]
fn registers_are_shown_in_program_order_only() {
    let mut result = sb::under_tso();
    let execution = result.execution.as_mut().expect("an execution");
    execution.steps[1].ahead_of = Some(sb::STORE_X);
    let data = moments(&page(&sb::program(), result));
    let moments = data["moments"].as_array().expect("moments");
    assert!(
        moments
            .iter()
            .all(|moment| moment["registers"] == json!([]))
    );
}

/// No text of a program ends what it stands in.
#[test]
fn names_are_escaped() {
    let mut program = sb::program();
    let hostile = "</script><img src=x> & \" ' \u{2028}\u{0}";
    program.threads[0].name = hostile.to_owned();
    program.objects[0].name = hostile.to_owned();
    let mut result = sb::under_tso();
    let steps = result.execution.take().expect("an execution").steps;
    let steps = steps.into_iter().map(|mut step| {
        if let Event::Access(access) = &mut step.event {
            access.location.name = access.location.name.replace('x', hostile);
        }
        step
    });
    result.execution = Some(Execution::new(&program, steps.collect(), None));
    let page = page(&program, result.clone());
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<img"));
    assert_eq!(moments(&page)["locations"][0], hostile);
    assert_eq!(moments(&page)["threads"][0]["name"], hostile);
    let svg = svg_text(&program, &result, &View::default()).expect("an execution");
    assert!(!svg.contains("<img") && !svg.contains('\u{0}'));
    let deadlock = ModelResult {
        verdict: Verdict::Violated,
        violation: Some(Violation::Deadlock(vec![sb::stuck(1)])),
        ..result
    };
    let svg = svg_text(&program, &deadlock, &View::default()).expect("an execution");
    assert!(svg.contains("waits for ever"));
}
