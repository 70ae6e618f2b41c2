use crate::store_buffering::*;
use answer::{AccessEvent, Event, Execution, Outcome, Step, Violation};
use program::{Liveness, Orderings, Property, Span, ThreadId};
use report::Command;
use serde_json::{Value, json as value};
use std::time::Duration;

const READING: Duration = Duration::from_millis(500);

#[test]
fn a_whole_report() {
    let expected = value!({
        "schema": "fencepost/1",
        "command": "check",
        "file": "SB.litmus",
        "test": "SB",
        "results": [
            {
                "model": "sc",
                "engine": "states",
                "machine": "store-buffer",
                "verdict": "violated",
                "covers": "everything",
                "counts": {"states": 16, "transitions": 22, "depth": 4, "bytes": 384,
                           "executions": null, "blocked": null, "redundant": null,
                           "not_sequential": null, "borderline": null, "events": null},
                "outcomes": [
                    {"0:EAX": 0, "1:EAX": 1},
                    {"0:EAX": 1, "1:EAX": 0},
                    {"0:EAX": 1, "1:EAX": 1},
                ],
                "observation": {"word": "Never", "positive": 0, "negative": 3},
                "violation": {
                    "kind": "no-witness",
                    "message": "no final state satisfies 0:EAX=0 /\\ 1:EAX=0",
                },
                "others": [],
                "warnings": [],
                "started": [],
                "execution": null,
                "seconds": 0.00012,
                "portfolio": [],
                "loops": [],
                "delays": [],
                "explanation": {
                    "code": "FP021",
                    "headline": r"no final state satisfies 0:EAX=0 /\ 1:EAX=0",
                    "primary": {"file": "SB.litmus", "line": 6, "column": 1,
                                "text": r"exists (0:EAX=0 /\ 1:EAX=0)", "length": 28, "label": ""},
                    "secondary": [],
                    "sequential": null,
                    "causes": [],
                    "fences": [],
                    "delays": [],
                    "buffered": [],
                },
            },
            {
                "model": "tso",
                "engine": "states",
                "machine": "store-buffer",
                "verdict": "holds",
                "covers": "everything",
                "counts": {"states": 40, "transitions": 66, "depth": 6, "bytes": 1000,
                           "executions": null, "blocked": null, "redundant": null,
                           "not_sequential": null, "borderline": null, "events": null},
                "outcomes": [
                    {"0:EAX": 0, "1:EAX": 0},
                    {"0:EAX": 0, "1:EAX": 1},
                    {"0:EAX": 1, "1:EAX": 0},
                    {"0:EAX": 1, "1:EAX": 1},
                ],
                "observation": {"word": "Sometimes", "positive": 1, "negative": 3},
                "violation": null,
                "others": [],
                "warnings": [],
                "started": [],
                "execution": {
                    "steps": [
                        {"thread": 0, "line": 4, "column": 2, "text": "MOV [x],$1",
                         "event": "buffer", "place": "x", "value": 1, "flushed_by": 5},
                        {"thread": 0, "line": 5, "column": 2, "text": "MOV EAX,[y]",
                         "event": "load", "place": "y", "value": 0},
                        {"thread": 1, "line": 4, "column": 16, "text": "MOV [y],$1",
                         "event": "buffer", "place": "y", "value": 1, "flushed_by": 3},
                        {"thread": 1, "line": 4, "column": 16, "text": "MOV [y],$1",
                         "event": "commit", "place": "y", "value": 1, "issued_by": 2},
                        {"thread": 1, "line": 5, "column": 16, "text": "MOV EAX,[x]",
                         "event": "load", "place": "x", "value": 0},
                        {"thread": 0, "line": 4, "column": 2, "text": "MOV [x],$1",
                         "event": "commit", "place": "x", "value": 1, "issued_by": 0},
                    ],
                    "repeats_from": null,
                    "replayed": true,
                },
                "seconds": 0.00025,
                "portfolio": [],
                "loops": [],
                "delays": [],
                "explanation": null,
            },
        ],
        "reading_seconds": 0.5,
    });
    assert_eq!(
        crate::json(
            Command::Check,
            &program(),
            READING,
            &[under_sc(), under_tso()]
        ),
        expected
    );
}

#[test]
fn fields_stand_in_the_order_of_the_documentation() {
    let report = crate::json(Command::Outcomes, &program(), READING, &[under_tso()]);
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(
        keys(&report),
        [
            "schema",
            "command",
            "file",
            "test",
            "results",
            "reading_seconds",
        ]
    );
    assert_eq!(
        keys(&report["results"][0]),
        [
            "model",
            "engine",
            "machine",
            "verdict",
            "covers",
            "counts",
            "outcomes",
            "observation",
            "violation",
            "others",
            "warnings",
            "started",
            "execution",
            "seconds",
            "portfolio",
            "loops",
            "delays",
            "explanation",
        ]
    );
}

/// The first result of a report, with this changed.
fn result(change: impl FnOnce(&mut answer::ModelResult)) -> Value {
    let mut result = under_rmo();
    change(&mut result);
    crate::json(Command::Check, &program(), READING, &[result])["results"][0].clone()
}

#[test]
fn values_and_bounds() {
    let outcome = Outcome(vec![0xffff_ffff, y().to_word()]);
    let report = result(|result| result.outcomes = vec![outcome]);
    assert_eq!(report["outcomes"], value!([{"0:EAX": -1, "1:EAX": "y"}]));
    assert_eq!(report["covers"], "reorder boxes of at most 10 entries");
}

#[test]
fn every_violation() {
    let violation = |violation| {
        let report = result(|result| result.violation = Some(violation));
        let mut violation = report["violation"].clone();
        let message = violation.as_object_mut().unwrap().remove("message");
        assert!(
            message
                .unwrap()
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        violation
    };
    assert_eq!(
        violation(Violation::FinalState(Outcome(vec![0, 1]))),
        value!({"kind": "final-state", "outcome": {"0:EAX": 0, "1:EAX": 1}})
    );
    assert_eq!(
        violation(Violation::NoWitness),
        value!({"kind": "no-witness"})
    );
    let formula = "0:EAX=0 /\\ 1:EAX=0";
    assert_eq!(
        violation(Violation::Invariant(both_zero())),
        value!({"kind": "invariant", "formula": formula})
    );
    assert_eq!(
        violation(Violation::Liveness(Liveness {
            repeatedly: true,
            property: Property {
                formula: both_zero(),
                span: Span::NOWHERE
            },
        })),
        value!({"kind": "liveness", "formula": formula, "repeatedly": true})
    );
    assert_eq!(
        violation(Violation::Deadlock(vec![stuck(1)])),
        value!({"kind": "deadlock", "threads": [1], "names": ["P1"]})
    );
    let (thread, span, address) = (ThreadId(1), LOAD_X, 23);
    assert_eq!(
        violation(Violation::Assertion { thread, span }),
        value!({"kind": "assertion", "thread": 1, "line": 5, "column": 16, "text": "MOV EAX,[x]"})
    );
    assert_eq!(
        violation(Violation::BadAccess {
            thread,
            span,
            address
        }),
        value!({"kind": "bad-access", "thread": 1, "line": 5, "column": 16,
                "text": "MOV EAX,[x]", "address": 23})
    );
}

#[test]
fn every_event() {
    let (place, value, taken) = (x(), 1, true);
    let events = [
        (
            access(AccessEvent::Load, place, value),
            value!({"event": "load", "place": "x", "value": 1}),
        ),
        (
            access(AccessEvent::Forward, place, value),
            value!({"event": "forward", "place": "x", "value": 1}),
        ),
        (
            access(AccessEvent::Buffer, place, value),
            value!({"event": "buffer", "place": "x", "value": 1, "flushed_by": 3}),
        ),
        (
            access(AccessEvent::Commit, place, value),
            value!({"event": "commit", "place": "x", "value": 1, "issued_by": 2}),
        ),
        (
            update(place, 0xffff_ffff, Some(1)),
            value!({"event": "update", "place": "x", "old": -1, "new": 1, "reads_from": 3,
                    "overwrites": 3}),
        ),
        (
            update(place, 0, None),
            value!({"event": "update", "place": "x", "old": 0, "new": null, "reads_from": 4}),
        ),
        (
            Event::Fence(Orderings::LOAD_LOAD.union(Orderings::STORE_LOAD)),
            value!({"event": "fence", "orders": ["LoadLoad", "StoreLoad"]}),
        ),
        (
            Event::Compute { value: u64::MAX },
            value!({"event": "compute", "value": u64::MAX}),
        ),
        (
            Event::Branch { taken },
            value!({"event": "branch", "taken": true}),
        ),
        (
            Event::Predict { taken },
            value!({"event": "predict", "taken": true}),
        ),
        (
            Event::Mispredict { taken },
            value!({"event": "mispredict", "taken": true}),
        ),
        (
            Event::Choose { value },
            value!({"event": "choose", "value": 1}),
        ),
        (
            Event::Observe {
                name: "seen".to_owned(),
                value: y().to_word(),
            },
            value!({"event": "observe", "name": "seen", "value": "y"}),
        ),
        (Event::AssertFailed, value!({"event": "assert-failed"})),
        (
            Event::BadAccess { address: 23 },
            value!({"event": "bad-access", "address": 23}),
        ),
    ];
    let steps = events
        .iter()
        .map(|(event, _)| step(1, Span::NOWHERE, event.clone()));
    let execution = Execution::new(&program(), steps.collect(), Some(2));
    let report = result(|result| result.execution = Some(execution));
    assert_eq!(report["execution"]["repeats_from"], 2);
    for (found, (_, expected)) in report["execution"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .zip(events)
    {
        let mut wanted = value!({"thread": 1, "line": null, "column": null, "text": ""});
        let fields = expected.as_object().unwrap().clone();
        wanted.as_object_mut().unwrap().extend(fields);
        assert_eq!(*found, wanted);
    }
}

#[test]
fn what_a_step_overtook() {
    let load = step(0, LOAD_Y, access(AccessEvent::Load, y(), 0));
    let overtaking = Step {
        ahead_of: Some(STORE_X),
        ..load.clone()
    };
    let guessing = Step {
        speculative: true,
        ..load
    };
    let execution = Execution::new(&program(), vec![overtaking, guessing], None);
    let report = result(|result| result.execution = Some(execution));
    assert_eq!(
        report["execution"],
        value!({
            "steps": [
                {"thread": 0, "line": 5, "column": 2, "text": "MOV EAX,[y]", "event": "load",
                 "place": "y", "value": 0, "ahead_of": "MOV [x],$1"},
                {"thread": 0, "line": 5, "column": 2, "text": "MOV EAX,[y]", "event": "load",
                 "place": "y", "value": 0, "speculative": true},
            ],
            "repeats_from": null,
            "replayed": false,
        })
    );
}

#[test]
fn the_documentation_shows_a_real_report() {
    let page = include_str!("../../../../docs/reference/json.md");
    let example = page.split("```json\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let example: Value = serde_json::from_str(example).unwrap();
    assert_eq!(
        example,
        crate::json(Command::Check, &program(), READING, &[under_tso()])
    );
}
