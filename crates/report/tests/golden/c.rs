//! What C programs add: files, threads started later, faults, deadlocks with reasons.

use crate::store_buffering::{step, under_sc};
use answer::*;
use program::*;
use report::{Command, View, check_text, execution_text, outcomes_text};
use serde_json::{Value, json as value};
use std::time::Duration;

const OWN: &str = "\
#include \"list.h\"
int main(void) {
  push(&list, 1);
  x = 2;
}
";
const HEADER: &str = "  list->head = node;\n";

fn own(line: u32, column: u32, length: u32) -> Span {
    Span::new(line, column, length)
}

fn header(column: u32, length: u32) -> Span {
    Span {
        file: 1,
        ..Span::new(1, column, length)
    }
}

fn program() -> Program {
    let mut program = ProgramBuilder::new("list");
    program.source(Source::new("list.c", OWN));
    let main = program.function("main").finish();
    let mut program = program.finish().unwrap();
    program.process = true;
    program.included.push(Source::new("list.h", HEADER));
    program.threads.push(Thread {
        name: "main".to_owned(),
        function: main,
        initial: vec![],
    });
    program
}

fn result(change: impl FnOnce(&mut ModelResult)) -> ModelResult {
    let mut result = ModelResult {
        outcomes: vec![],
        observation: None,
        violation: None,
        started: vec!["thread 1 (worker)".to_owned()],
        ..under_sc()
    };
    change(&mut result);
    result
}

fn race() -> Violation {
    let fault = Fault::new(FaultKind::Race, "list.head is written while main writes it");
    Violation::Fault {
        thread: ThreadId(1),
        span: header(3, 17),
        fault: fault.with(own(3, 3, 14), "main writes it"),
    }
}

fn deadlock() -> Violation {
    let waiting = |thread, span, reason: &str| Waiting {
        thread: ThreadId(thread),
        span,
        reason: reason.to_owned(),
    };
    Violation::Deadlock(vec![
        waiting(
            0,
            own(3, 3, 14),
            "waits for mutex a, held by thread 1 (worker)",
        ),
        waiting(1, header(3, 17), "waits for mutex b, held by main"),
    ])
}

#[test]
fn a_fault_with_another_place() {
    let result = result(|result| result.violation = Some(race()));
    assert_eq!(
        check_text(&program(), &result, &View::default()),
        "\
list.c under sc, machine store-buffer, engine states: 16 states in 0.12 ms
violated under sc: list.head is written while main writes it

 --> list.h:1:3
  |
1 |   list->head = node;
  |   ^^^^^^^^^^^^^^^^^ one access, by thread 1 (worker)
  |
 ::: list.c:3:3
  |
3 |   push(&list, 1);
  |   -------------- main writes it
  |
  = more: fencepost explain FP004
"
    );
    let report = crate::json(Command::Check, &program(), Duration::ZERO, &[result]);
    assert_eq!(
        report["results"][0]["violation"],
        value!({
            "kind": "race",
            "message": "list.head is written while main writes it, in thread 1 (worker): \
                        list->head = node (list.h:1:3)",
            "thread": 1, "file": "list.h", "line": 1, "column": 3, "text": "list->head = node",
            "others": [
                {"file": "list.c", "line": 3, "column": 3, "text": "push(&list, 1)",
                 "what": "main writes it"},
            ],
        })
    );
    assert_eq!(
        report["results"][0]["started"],
        value!(["thread 1 (worker)"])
    );
}

#[test]
fn a_deadlock_with_reasons() {
    let result = result(|result| result.violation = Some(deadlock()));
    assert_eq!(
        check_text(&program(), &result, &View::default()),
        "\
list.c under sc, machine store-buffer, engine states: 16 states in 0.12 ms
violated under sc: deadlock: main and thread 1 (worker) can never go on

 --> list.c:3:3
  |
3 |   push(&list, 1);
  |   ^^^^^^^^^^^^^^ main waits for mutex a, held by thread 1 (worker)
  |
 ::: list.h:1:3
  |
1 |   list->head = node;
  |   ----------------- thread 1 (worker) waits for mutex b, held by main
  |
  = more: fencepost explain FP003
"
    );
    let report = crate::json(Command::Check, &program(), Duration::ZERO, &[result]);
    let mut violation = report["results"][0]["violation"].clone();
    violation.as_object_mut().unwrap().remove("message");
    assert_eq!(
        violation,
        value!({
            "kind": "deadlock",
            "threads": [0, 1],
            "names": ["main", "thread 1 (worker)"],
            "waiting": [
                {"thread": 0, "line": 3, "column": 3, "text": "push(&list, 1)",
                 "reason": "waits for mutex a, held by thread 1 (worker)"},
                {"thread": 1, "file": "list.h", "line": 1, "column": 3,
                 "text": "list->head = node", "reason": "waits for mutex b, held by main"},
            ],
        })
    );
}

#[test]
fn warnings() {
    let warning = |span, message: &str| Warning {
        span,
        message: message.to_owned(),
    };
    let warnings = vec![
        warning(header(3, 0), "the result of push is not used"),
        warning(Span::NOWHERE, "no thread is ever started"),
    ];
    let result = result(|result| {
        result.verdict = Verdict::Holds;
        result.warnings = warnings;
        result.bounds = vec![Bound::Unroll(2, own(4, 3, 0)), Bound::Values(4)];
    });
    assert_eq!(
        check_text(&program(), &result, &View::default()),
        "\
list.c under sc, machine store-buffer, engine states: 16 states in 0.12 ms
warning: list.h:1: the result of push is not used
warning: no thread is ever started
holds under sc up to 2 iterations of the loop at line 4, nondeterministic values below 4
"
    );
    // Each once, however many models give it.
    let results = [result.clone(), result.clone()];
    let text = outcomes_text(&program(), &results);
    assert_eq!(text.matches("warning: list.h:1: ").count(), 1);
    let report = crate::json(Command::Check, &program(), Duration::ZERO, &[result]);
    assert_eq!(
        report["results"][0]["warnings"],
        value!([
            {"file": "list.h", "line": 1, "column": 3, "text": "",
             "message": "the result of push is not used"},
            {"line": null, "column": null, "text": "", "message": "no thread is ever started"},
        ])
    );
}

fn execution() -> Execution {
    let datum = |text: &str| Datum::text(0, text.to_owned());
    let access = |kind, value: &str, written: Option<&str>| {
        let location = Location {
            address: 0x10_0000,
            size: 8,
            name: "list.head".to_owned(),
        };
        let access = MemoryAccess::new(kind, location, datum(value), written.map(datum));
        Event::Access(access)
    };
    let store = own(3, 3, 14);
    let steps = vec![
        step(
            0,
            Span::NOWHERE,
            Event::Call("malloc(16) = heap1".to_owned()),
        ),
        step(0, store, access(AccessEvent::Buffer, "&heap1", None)),
        step(0, store, access(AccessEvent::Forward, "&heap1", None)),
        step(1, header(3, 17), access(AccessEvent::Load, "0", None)),
        step(0, store, access(AccessEvent::Commit, "&heap1", None)),
        step(1, store, access(AccessEvent::Buffer, "0", None)),
        step(1, store, access(AccessEvent::Commit, "0", None)),
        step(
            1,
            own(9, 9, 9),
            access(AccessEvent::Update, "0", Some("&heap1")),
        ),
        step(2, Span::NOWHERE, access(AccessEvent::Update, "1", None)),
        step(2, Span::NOWHERE, Event::Print("x = 1\n".to_owned())),
        step(2, own(4, 3, 5), Event::Fault("x is constant".to_owned())),
    ];
    Execution {
        replayed: true,
        ..Execution::new(&program(), steps, None)
    }
}

#[test]
fn an_execution() {
    let started = ["thread 1 (worker)".to_owned()];
    assert_eq!(
        execution_text(&program(), &started, &execution(), &View::default()),
        r#"  1  main              │ malloc(16) = heap1
  2  main              │ 3: push(&list, 1)
                       │   list.head=&heap1 waits in the buffer, list.head → &heap1 from own store,
                       │   not yet in memory
  3  thread 1 (worker) │ list.h:1: list->head = node  list.head → 0 from memory
  4  main              │ ▶ list.head=&heap1 reaches memory
  5  thread 1 (worker) │ 3: push(&list, 1)  ▶ list.head=0 reaches memory
  6  thread 1 (worker) │ ▶ list.head: 0 → &heap1
  7  P2                │ list.head: 1, not the expected value
  8  P2                │ prints "x = 1\n"
  9  P2                │ 4: x = 2  x is constant
"#
    );
}

#[test]
fn an_execution_in_json() {
    let result = result(|result| result.execution = Some(execution()));
    let report = crate::json(Command::Check, &program(), Duration::ZERO, &[result]);
    let fields = |index: usize, names: &[&str]| -> Vec<Value> {
        let step = &report["results"][0]["execution"]["steps"][index];
        names.iter().map(|name| step[name].clone()).collect()
    };
    let access = ["event", "place", "value"];
    assert_eq!(
        fields(0, &["event", "call"]),
        ["call", "malloc(16) = heap1"]
    );
    assert_eq!(fields(1, &access), ["buffer", "list.head", "&heap1"]);
    assert_eq!(fields(2, &access), ["forward", "list.head", "&heap1"]);
    assert_eq!(fields(3, &access), ["load", "list.head", "0"]);
    assert_eq!(
        fields(3, &["file", "text"]),
        ["list.h", "list->head = node"]
    );
    assert_eq!(fields(4, &access), ["commit", "list.head", "&heap1"]);
    let update = ["event", "old", "new"];
    assert_eq!(fields(7, &update), ["update", "0", "&heap1"]);
    assert_eq!(
        fields(8, &update),
        [value!("update"), value!("1"), Value::Null]
    );
    assert_eq!(fields(9, &["event", "output"]), ["print", "x = 1\n"]);
    assert_eq!(
        fields(10, &["event", "message"]),
        ["fault", "x is constant"]
    );
}

#[test]
fn every_fault_is_documented() {
    let page = include_str!("../../../../docs/reference/json.md");
    for kind in FaultKind::ALL {
        let row = format!("\n| `{}` | ", kind.name());
        assert!(page.contains(&row), "{} is missing", kind.name());
    }
}
