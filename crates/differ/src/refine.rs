//! Data types: whether `refine` says of a client what its outcomes say.
//!
//! A sketch of this family is a data type whose operations are its threads. A client is an ordinary program; its
//! outcomes under a model, found by the machines, and those of the same client with atomic operations under SC say
//! whether it looks atomic. The engine `sat` answers the same question with formulas.

use crate::engines::{Answer, Engine, Limits, Status, ask, message};
use crate::judge::{Between, Disagreement};
use answer::Verdict;
use check::Serial;
use frontend::client::{self, Client, Operation, Test};
use memory::Model;
use program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Disagreements about the clients of a data type.
pub fn disagreements(program: &Program, models: &[Model], limits: &Limits) -> Vec<Disagreement> {
    let operations = client::operations(program);
    let mut found = Vec::new();
    for test in tests(&operations) {
        let asked = || about(program, &test, models, limits);
        match catch_unwind(AssertUnwindSafe(asked)) {
            Ok(disagreements) => found.extend(disagreements.unwrap_or_default()),
            Err(panic) => found.push(Disagreement {
                what: format!("panic: {}", message(&*panic)),
                finder: (Engine::Sat, Model::Sc.name()),
                misser: (Engine::Sat, Model::Sc.name()),
                between: Between::Engines,
                detail: format!("refine --test '{}'", shown_test(&test)),
            }),
        }
    }
    found
}

/// The test as it is written for the program alone, without the prefix of its names.
fn shown_test(test: &Test) -> String {
    let text = test.to_string();
    let names = text.split('p').map(|piece| {
        let digits = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        digits.strip_prefix('_').unwrap_or(piece)
    });
    names.collect()
}

/// Small tests of the first two operations.
fn tests(operations: &[Operation]) -> Vec<Test> {
    let name = |index: usize| {
        operations
            .get(index)
            .map(|operation| operation.name.as_str())
    };
    let Some(first) = name(0) else {
        return Vec::new();
    };
    let second = name(1).unwrap_or(first);
    let texts = [
        format!("({first}|{second})"),
        format!("({first} {second}|{first})"),
        format!("{second} ({first}|{first})"),
    ];
    let read = texts.iter().map(|text| client::read_test(text, operations));
    read.flatten().collect()
}

fn outcomes(client: &Client, model: Model, limits: &Limits) -> Option<Answer> {
    let engines = [Engine::Explore, Engine::States];
    let mut answers = engines
        .into_iter()
        .filter(|engine| engine.has(model))
        .map(|engine| ask(&client.program, engine, model, false, limits));
    answers.find(|answer| answer.status == Status::Complete && answer.all_outcomes)
}

fn about(
    program: &Program,
    test: &Test,
    models: &[Model],
    limits: &Limits,
) -> Option<Vec<Disagreement>> {
    let concurrent = client::client(program, test, false).ok()?;
    let serial = client::client(program, test, true).ok()?;
    let alone = client::serial_client(program, test).ok()?;
    let options = solve::Options {
        control: limits.control(),
        ..solve::Options::default()
    };
    let mined = check::mine(
        Serial {
            program: &serial.program,
            in_one_thread: alone.as_ref().map(|client| &client.program),
            swaps: &serial.swaps,
        },
        &options,
    )
    .ok()?;
    if mined.result.verdict != Verdict::Holds {
        return None;
    }
    let expected = outcomes(&serial, Model::Sc, limits)?;
    if expected.deadlock || !expected.faults.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    for &model in models {
        let included = solve::include(
            &concurrent.program,
            model,
            &mined.specification,
            &concurrent.swaps,
            &options,
        );
        let Ok(included) = included else {
            continue;
        };
        if included.result.verdict == Verdict::Undecided {
            continue;
        }
        let Some(shown) = outcomes(&concurrent, model, limits) else {
            continue;
        };
        let assertions = shown
            .faults
            .iter()
            .any(|fault| matches!(*fault, "assertion" | "abort"));
        let hidden = !shown.faults.is_empty() && !assertions;
        let fails = assertions || !shown.outcomes.is_subset(&expected.outcomes);
        let refuted = included.result.verdict == Verdict::Violated;
        if refuted != fails && !hidden {
            found.push(Disagreement {
                what: "refine".to_owned(),
                finder: (if fails { shown.engine } else { Engine::Sat }, model.name()),
                misser: (if fails { Engine::Sat } else { shown.engine }, model.name()),
                between: Between::Engines,
                detail: format!(
                    "refine --test '{}' --model {model}: refuted {refuted}, by outcomes {fails}",
                    shown_test(test),
                ),
            });
        }
    }
    Some(found)
}
