//! Clients of data types run on all engines: their outcomes are the observations.

use frontend::c::{self, Compiler};
use frontend::client::{Client, ClientError, client, operations, read_test, suite};
use memory::Model;
use program::{InstructionKind, Program, Word};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

type Observations = BTreeSet<Vec<Word>>;

fn path(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    directory.join(name)
}

fn read(name: &str) -> Program {
    let compiler = Compiler::find(None).expect("a clang");
    c::read_operations(&[path(name)], &[], Some(&compiler)).expect("a program")
}

fn made(program: &Program, test: &str, serial: bool) -> Client {
    let test = read_test(test, &operations(program)).expect("a test");
    client(program, &test, serial).expect("a client")
}

fn everything() -> states::Options {
    states::Options {
        stop_at_violation: false,
        explain: false,
        ..states::Options::default()
    }
}

/// All outcomes, which do not depend on the engine.
fn observations(client: &Client, model: Model) -> Observations {
    let result = states::run(&client.program, model, &everything()).expect("a result");
    assert_eq!(result.violation, None, "{}", client.program.name);
    let found: Observations = result.outcomes.into_iter().map(|o| o.0).collect();
    let options = explore::Options {
        explain: false,
        outcomes: true,
        ..explore::Options::default()
    };
    match explore::run(&client.program, model, &options) {
        Ok(result) => {
            let explored: Observations = result.outcomes.into_iter().map(|o| o.0).collect();
            assert_eq!(explored, found, "{}", client.program.name);
        }
        Err(refused) => assert!(refused.what.contains("atomic sections")),
    }
    found
}

fn names(client: &Client) -> Vec<&str> {
    client.columns.iter().map(|column| &*column.name).collect()
}

#[test]
fn a_queue_by_hand() {
    let program = read("locked.c");
    let serial = made(&program, "(e|d)", true);
    assert_eq!(
        names(&serial),
        ["1.1 e value", "2.1 d found", "2.1 d value"]
    );
    let arguments: Vec<bool> = serial.columns.iter().map(|c| c.argument).collect();
    assert_eq!(arguments, [true, false, false]);
    let observed: Vec<&str> = serial.program.observed.iter().map(|o| &*o.name).collect();
    assert_eq!(observed, names(&serial));
    // Either the queue is empty, or what was put in comes out.
    let expected = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]];
    let expected: Observations = expected.map(Vec::from).into();
    assert_eq!(observations(&serial, Model::Sc), expected);
    let client = made(&program, "(e|d)", false);
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        assert_eq!(observations(&client, model), expected);
    }
}

#[test]
fn locks_make_a_queue_look_atomic() {
    let program = read("locked.c");
    for test in ["e(ed|de)", "e(d|d)", "(ee|dd)", "(e|e|d)"] {
        let serial = observations(&made(&program, test, true), Model::Sc);
        let client = made(&program, test, false);
        assert_eq!(observations(&client, Model::Sc), serial, "{test}");
        assert_eq!(observations(&client, Model::Pso), serial, "{test}");
    }
    let initial = made(&program, "e(d|d)", true);
    // First the argument; one of the two finds it.
    let expected = [
        [0, 0, 0, 1, 0],
        [0, 1, 0, 0, 0],
        [1, 0, 0, 1, 1],
        [1, 1, 1, 0, 0],
    ];
    let expected: Observations = expected.map(Vec::from).into();
    assert_eq!(observations(&initial, Model::Sc), expected);
}

#[test]
fn the_smallest_client_that_tells_comes_first() {
    let program = read("unlocked.c");
    let broken = suite(&operations(&program), 3).find(|test| {
        let serial = client(&program, test, true).expect("a client");
        let client = client(&program, test, false).expect("a client");
        let allowed = observations(&serial, Model::Sc);
        let seen = observations(&client, Model::Sc);
        assert!(seen.is_superset(&allowed), "{test}");
        !seen.is_subset(&allowed)
    });
    // Two threads take the same item.
    assert_eq!(
        broken.map(|test| test.to_string()).as_deref(),
        Some("(ed|d)")
    );
}

#[test]
fn primed_operations_do_not_retry() {
    let program = read("retry.c");
    let expected = |rows: &[[Word; 4]]| rows.iter().map(|r| r.to_vec()).collect::<Observations>();
    let serial = expected(&[[7, 1, 8, 1], [8, 1, 7, 1]]);
    assert_eq!(
        observations(&made(&program, "(inc|inc)", true), Model::Sc),
        serial
    );
    let free = made(&program, "(inc|inc)", false);
    let retried = expected(&[[7, 1, 8, 1], [8, 1, 7, 1], [7, 1, 8, 2], [8, 2, 7, 1]]);
    assert_eq!(observations(&free, Model::Sc), retried);
    let primed = made(&program, "(inc' | inc')", false);
    assert_eq!(observations(&primed, Model::Sc), serial);
    assert_eq!(names(&primed), names(&free));
    let one = made(&program, "(inc|inc')", false);
    let first = expected(&[[7, 1, 8, 1], [8, 1, 7, 1], [8, 2, 7, 1]]);
    assert_eq!(observations(&one, Model::Sc), first);
}

#[test]
fn copies_stand_where_the_source_does() {
    let program = read("locked.c");
    let client = made(&program, "e(ed|d)", false).program;
    let mut observed = 0;
    for function in &client.functions {
        for instruction in function.blocks.iter().flat_map(|b| &b.instructions) {
            if let InstructionKind::Observe { name, .. } = &instruction.kind {
                let text = client.excerpt(instruction.span);
                let label = name.split(' ').nth(2).expect("a label");
                assert!(text.contains(&format!("\"{label}\"")), "{name}: {text}");
                observed += 1;
            }
        }
    }
    assert_eq!(observed, 2 + 2 * 2);
    assert_eq!(
        client
            .functions
            .iter()
            .filter(|f| f.name == "enqueue")
            .count(),
        1
    );
    let text = client.to_string();
    assert_eq!(
        program::parse(&text).map(|again| again.to_string()),
        Ok(text)
    );
}

#[test]
fn a_main_function_is_for_the_other_commands() {
    let compiler = Compiler::find(None).expect("a clang");
    let program = c::read_c(&[path("unlocked.c")], &[], Some(&compiler)).expect("a program");
    assert_eq!(program.threads.len(), 1);
    let result = states::run(&program, Model::Sc, &everything()).expect("a result");
    assert_eq!(result.outcomes.len(), 2);
    let missing = c::read_c(&[path("locked.c")], &[], Some(&compiler)).expect_err("no main");
    assert!(
        missing.to_string().contains("no function `main`"),
        "{missing}"
    );
}

#[test]
fn weaker_models_show_more() {
    let program = read("unlocked.c");
    let client = made(&program, "(e|d)", false);
    let models = [Model::Sc, Model::Tso, Model::Pso, Model::Rmo];
    let shows = models.map(|model| {
        let result = states::run(&client.program, model, &everything()).expect("a result");
        // Something is found before it is there.
        let early = vec![0, 1, Word::MAX];
        result.outcomes.iter().any(|outcome| outcome.0 == early)
    });
    assert_eq!(shows, [false, false, true, true]);
}

/// The client of a few lines of C.
fn made_of(name: &str, text: &str, test: &str) -> Result<Client, ClientError> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, format!("#include <fencepost.h>\n{text}")).expect("a new file");
    let compiler = Compiler::find(None).expect("a clang");
    let program = c::read_operations(&[path], &[], Some(&compiler)).expect("a program");
    let test = read_test(test, &operations(&program)).expect("a test");
    client(&program, &test, false)
}

#[test]
fn clients_that_cannot_be_made() {
    let program = read("locked.c");
    let mut test = read_test("e", &operations(&program)).expect("a test");
    test.threads[0][0].operation = "x".to_owned();
    let error = client(&program, &test, false).expect_err("an unknown operation");
    assert_eq!(error, ClientError::NoOperation("x".to_owned()));

    let both = "FP_OPERATION(o) { int v = fp_argument(\"v\", 2); fp_result(\"v\", v); }";
    let error = ClientError::TwoKinds {
        operation: "o".to_owned(),
        label: "v".to_owned(),
    };
    assert_eq!(made_of("both.c", both, "o"), Err(error));

    let pointer = "static void again(void) { fp_retry(); }
        void (*volatile function)(void) = again;
        FP_OPERATION(o) { function(); }";
    let error = ClientError::ByAddress("again".to_owned());
    assert_eq!(made_of("pointer.c", pointer, "o"), Err(error));

    let parameters = "void fp_operation_o(int a) { (void)a; }";
    let error = ClientError::Parameters("fp_operation_o".to_owned());
    assert_eq!(made_of("parameters.c", parameters, "o"), Err(error));
}

#[test]
fn no_machine_runs_relaxed() {
    let program = made(&read("unlocked.c"), "(e|d)", false).program;
    let axioms = "which has axioms only";
    let refused = states::run(&program, Model::Relaxed, &everything()).expect_err("no machine");
    assert!(refused.to_string().contains(axioms), "{refused}");
    let options = explore::Options::default();
    let refused = explore::run(&program, Model::Relaxed, &options).expect_err("no machine");
    assert!(refused.to_string().contains(axioms), "{refused}");
    let schedule = states::OnceSchedule::First;
    let once = states::run_once(&program, Model::Relaxed, &everything(), schedule);
    assert!(once.is_err());
    assert!(monitor::Monitor::new(Model::Relaxed).is_none());
}
