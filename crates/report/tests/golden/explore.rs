//! What an engine that goes through executions adds: its counts, cycles, further violations.

use crate::store_buffering::*;
use answer::{
    Bound, Counts, Estimate, Execution, Fault, FaultKind, Link, LinkOrder, ModelResult, Verdict,
    Violation,
};
use program::{Span, ThreadId};
use report::{Command, View, bound_text, check_text, counts_text, estimates_json};
use serde_json::{Value, json as value};
use std::time::Duration;

/// Under TSO, without a condition.
fn explored() -> ModelResult {
    ModelResult {
        engine: answer::Engine::Explore,
        counts: Counts {
            executions: 4,
            not_sequential: 1,
            events: 19,
            ..Counts::default()
        },
        observation: None,
        execution: None,
        ..under_tso()
    }
}

fn link(thread: u32, span: Span, access: &str, order: LinkOrder) -> Link {
    Link {
        thread: ThreadId(thread),
        span,
        access: access.to_owned(),
        order,
        overtaken: span == STORE_X,
    }
}

fn cycle() -> Violation {
    Violation::NotSequential(vec![
        link(0, STORE_X, "store to x", LinkOrder::Program),
        link(0, LOAD_Y, "load of y", LinkOrder::FromRead),
        link(1, STORE_Y, "store to y", LinkOrder::Program),
        link(1, LOAD_X, "load of x", LinkOrder::FromRead),
    ])
}

fn assertion() -> Violation {
    let (thread, span) = (ThreadId(1), LOAD_X);
    Violation::Assertion { thread, span }
}

fn text(change: impl FnOnce(&mut ModelResult)) -> String {
    let mut result = explored();
    change(&mut result);
    check_text(&program_without_condition(), &result, &View::default())
}

#[test]
fn executions_are_counted() {
    assert_eq!(
        text(|_| {}),
        "\
SB.litmus under tso, machine store-buffer, engine explore: 4 executions in 0.25 ms
holds under tso (everything covered)
1 execution is not sequentially consistent (--robust shows it)
"
    );
    let first = |blocked| {
        let text = text(|result| result.counts.blocked = blocked);
        let (_, size) = text.split_once("explore: ").expect("a size");
        size.lines().next().map(str::to_owned)
    };
    assert_eq!(
        first(1).as_deref(),
        Some("4 executions and a blocked one in 0.25 ms")
    );
    assert_eq!(
        first(2).as_deref(),
        Some("4 executions and 2 blocked ones in 0.25 ms")
    );
}

#[test]
fn a_cycle_is_told_access_by_access() {
    let found = text(|result| {
        result.verdict = Verdict::Violated;
        result.violation = Some(cycle());
        result.execution = Some(Execution {
            steps: vec![],
            repeats_from: None,
            replayed: true,
            rerun: None,
        });
    });
    assert_eq!(
        found,
        "\
SB.litmus under tso, machine store-buffer, engine explore: 4 executions in 0.25 ms
violated under tso: store buffers show an execution that sequential consistency does not have, by a cycle of accesses

 --> SB.litmus:4:2
  |
4 |  MOV [x],$1  | MOV [y],$1  ;
  |  ---------- the store to x is delayed
5 |  MOV EAX,[y] | MOV EAX,[x] ;
  |  ----------- the load of y overtakes it
  |
  = cause: P0 loads y (line 5) before its store to x (line 4) reaches memory
  = help: this forbids it: MFENCE, or membar #StoreLoad, between line 4 and line 5
  = more: fencepost explain FP024

The cycle:
  store to x, by P0: MOV [x],$1 (SB.litmus:4:2)
    comes before, in the program
  load of y, by P0: MOV EAX,[y] (SB.litmus:5:2)
    reads what is overwritten by
  store to y, by P1: MOV [y],$1 (SB.litmus:4:16)
    comes before, in the program
  load of x, by P1: MOV EAX,[x] (SB.litmus:5:16)
    reads what is overwritten by
  the first of these

An execution that shows it:

  (no steps)

violated under tso: store buffers show an execution that sequential consistency does not have, by a
  cycle of accesses (SB.litmus:4)
cause: P0 loads y (line 5) before its store to x (line 4) reaches memory
fix: MFENCE, or membar #StoreLoad, between line 4 and line 5
"
    );
}

#[test]
fn further_violations_follow_the_first() {
    let found = text(|result| {
        result.verdict = Verdict::Violated;
        result.violation = Some(assertion());
        result.others = vec![Violation::Deadlock(vec![stuck(0)])];
        result.counts.not_sequential = 2;
        result.execution = Some(Execution {
            steps: vec![],
            repeats_from: None,
            replayed: true,
            rerun: None,
        });
    });
    assert_eq!(
        found,
        "\
SB.litmus under tso, machine store-buffer, engine explore: 4 executions in 0.25 ms
violated under tso: an assertion of P1 fails

 --> SB.litmus:5:16
  |
5 |  MOV EAX,[y] | MOV EAX,[x] ;
  |                ^^^^^^^^^^^
  |
  = note: whether sequential consistency has this violation is not known
  = more: fencepost explain FP001
and: deadlock: P0 can never go on
2 executions are not sequentially consistent (--robust shows one)

An execution that shows the first:

  (no steps)

violated under tso: an assertion of P1 fails (SB.litmus:5)
whether sequential consistency has this violation is not known
"
    );
}

#[test]
fn an_execution_that_was_not_replayed_is_marked() {
    let shown = |replayed: bool| {
        text(|result| {
            result.verdict = Verdict::Violated;
            result.violation = Some(assertion());
            result.execution = Some(Execution {
                replayed,
                ..Execution::default()
            });
        })
    };
    let marked = "\nAn execution that shows it, in memory order (not replayed on a machine):\n";
    assert!(shown(false).contains(marked), "{}", shown(false));
    assert!(shown(true).contains("\nAn execution that shows it:\n"));
}

#[test]
fn what_the_machine_does_not_reach_is_no_violation() {
    let mut result = explored();
    result.verdict = Verdict::Violated;
    result.violation = Some(Violation::Fault {
        thread: ThreadId(1),
        span: LOAD_X,
        fault: Fault::new(FaultKind::Assertion, "the assertion fails"),
    });
    result.execution = Some(Execution::default());
    let result = result.unconfirmed("the machine has no such execution");
    assert_eq!(
        check_text(&program_without_condition(), &result, &View::default()),
        "\
SB.litmus under tso, machine store-buffer, engine explore: 4 executions in 0.25 ms
warning: SB.litmus:5: not confirmed: the assertion fails; the machine has no such execution
undecided under tso: the search covers only what the machine confirms: a violation was found that it does not reach, by a mistake of fencepost (please report it)
1 execution is not sequentially consistent (--robust shows it)
"
    );
    assert!(result.violation.is_none() && result.execution.is_none());
}

#[test]
fn bounds_speak_of_executions() {
    let covers = |bound| {
        let mut result = explored();
        result.bounds = vec![bound];
        result.covers()
    };
    assert_eq!(
        covers(Bound::Interrupted(7)),
        "the 7 executions seen before the interrupt"
    );
    assert_eq!(
        covers(Bound::Time(Duration::from_secs(5))),
        "the executions seen in 5 s"
    );
    assert_eq!(covers(Bound::Executions(9)), "the first 9 executions");
    let bounded = text(|result| result.bounds = vec![Bound::Preemptions(1)]);
    let line = "\nholds under tso up to executions with at most one preemption\n";
    assert!(bounded.contains(line), "{bounded}");
}

#[test]
fn a_line_for_each_bound_of_a_series() {
    assert_eq!(
        bound_text(&explored(), 0),
        "tso, no preemption: holds, 4 executions in 0.25 ms\n"
    );
    assert_eq!(
        bound_text(&explored(), 1),
        "tso, at most 1 preemption: holds, 4 executions in 0.25 ms\n"
    );
    assert_eq!(
        bound_text(&explored(), 2),
        "tso, at most 2 preemptions: holds, 4 executions in 0.25 ms\n"
    );
}

#[test]
fn counts_stand_side_by_side() {
    let under_sc = ModelResult {
        model: memory::Model::Sc,
        counts: Counts {
            executions: 3,
            events: 15,
            ..Counts::default()
        },
        ..explored()
    };
    assert_eq!(
        counts_text(&[under_sc, explored()]),
        "                  sc  tso
  executions       3    4
  blocked          0    0
  redundant        0    0
  not sequential   0    1
  events          15   19
"
    );
    // What an engine does not count is left free.
    let mixed = counts_text(&[explored(), under_rmo()]);
    assert!(mixed.contains("\n  executions        4\n"), "{mixed}");
    assert!(mixed.contains("\n  states                40\n"), "{mixed}");
}

#[test]
fn all_of_it_in_json() {
    let mut result = explored();
    result.violation = Some(cycle());
    result.others = vec![assertion()];
    let report = crate::json(Command::Check, &program(), Duration::ZERO, &[result]);
    let result = &report["results"][0];
    assert_eq!(result["engine"], "explore");
    assert_eq!(
        result["counts"],
        value!({
            "states": null, "transitions": null, "depth": null, "bytes": null,
            "executions": 4, "blocked": 0, "redundant": 0, "not_sequential": 1,
            "borderline": null, "events": 19,
        })
    );
    assert_eq!(result["violation"]["kind"], "not-sequential");
    let cycle = result["violation"]["cycle"].as_array().expect("a cycle");
    assert_eq!(cycle.len(), 4);
    assert_eq!(
        cycle[1],
        value!({
            "thread": 0, "line": 5, "column": 2, "text": "MOV EAX,[y]",
            "access": "load of y", "order": "from-read", "overtaken": false,
        })
    );
    let others: Vec<&Value> = result["others"].as_array().into_iter().flatten().collect();
    assert_eq!(others.len(), 1);
    assert_eq!(others[0]["kind"], "assertion");
}

#[test]
fn estimates_in_json() {
    let estimate = Estimate {
        executions: 4.5,
        low: 4.0,
        high: 6.0,
        walks: 1000,
        explored: 24_000,
        events: 5.25,
    };
    assert_eq!(
        estimates_json(&program(), &[("tso", estimate, 0.5)]),
        value!({
            "schema": "fencepost/1",
            "command": "check",
            "file": "SB.litmus",
            "test": "SB",
            "estimates": [
                {"model": "tso", "executions": 4.5, "low": 4.0, "high": 6.0, "walks": 1000,
                 "events": 5.25, "seconds": 0.5},
            ],
        })
    );
}

fn monitored(change: impl FnOnce(&mut ModelResult)) -> String {
    let mut result = ModelResult {
        engine: answer::Engine::Monitor,
        machine: "process",
        ..explored()
    };
    change(&mut result);
    report::robust_text(&program_without_condition(), &result, &View::default())
}

#[test]
fn robust_programs_are_told() {
    assert_eq!(
        monitored(|_| {}),
        "\
SB.litmus under tso, engine monitor: 4 executions of sc in 0.25 ms
robust: tso shows nothing that sequential consistency does not (everything covered)
"
    );
    let bounded = monitored(|result| result.bounds = vec![Bound::Preemptions(2)]);
    assert!(
        bounded.ends_with(
            "robust up to executions with at most 2 preemptions: within that tso shows nothing that \
             sequential consistency does not\n"
        ),
        "{bounded}"
    );
    let stopped = monitored(|result| {
        result.bounds = vec![Bound::Executions(4)];
        result.verdict = Verdict::Undecided;
    });
    assert!(stopped.contains("\nnot decided: "), "{stopped}");
}

#[test]
fn what_is_not_robust_is_shown_before_what_is_wrong_anyway() {
    let text = monitored(|result| {
        result.verdict = Verdict::Violated;
        result.violation = Some(cycle());
        result.others = vec![assertion()];
    });
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1],
        "not robust: tso shows an execution that sequential consistency does not have"
    );
    let cause = "cause: P0 loads y (line 5) before its store to x (line 4) reaches memory";
    assert!(text.contains(cause), "{text}");
    let last = lines.last().copied().unwrap_or_default();
    assert!(
        last.starts_with("wrong without store buffers already: "),
        "{text}"
    );
}
