//! What library functions order: store buffering with a call between the store and the load, by every
//! engine under every model, and on the processor itself.
//!
//! `tests/c/library/orders.tsv` has a row for each way that a call can go. Under SC all of them hold. Under RMO
//! and Relaxed no call is a full fence; only a fence is.

mod command_line;
mod json_report;

use command_line::repository;
use json_report::check;
use std::path::PathBuf;
use std::process::Command;

struct Row {
    call: String,
    before: String,
    tso: String,
    pso: String,
}

fn program() -> PathBuf {
    repository().join("tests/c/library/store_buffering.c")
}

fn rows() -> Vec<Row> {
    let table = repository().join("tests/c/library/orders.tsv");
    let table = std::fs::read_to_string(table).expect("a table");
    let row = |line: &str| {
        let [call, before, tso, pso] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}");
        };
        let before = if before == "-" { "(void)0" } else { before };
        Row {
            call: call.into(),
            before: before.into(),
            tso: tso.into(),
            pso: pso.into(),
        }
    };
    let rows: Vec<Row> = table.lines().skip(1).map(row).collect();
    assert!(rows.len() > 50);
    rows
}

/// Options of the compiler for a row.
fn defines(row: &Row) -> [String; 2] {
    [
        format!("-DOP={}", row.call),
        format!("-DBEFORE={}", row.before),
    ]
}

/// Each model's verdict on a row.
fn verdicts(row: &Row, options: &[&str], more: &[&str]) -> Vec<(String, String)> {
    let defines = defines(row);
    let mut compiler: Vec<&str> = defines.iter().map(String::as_str).collect();
    compiler.extend(more);
    let report = check(&program(), options, &compiler);
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("?").to_owned();
    let verdict = |result: &serde_json::Value| (word(&result["model"]), word(&result["verdict"]));
    results.iter().map(verdict).collect()
}

fn compare(engine: &str, models: &str, wanted: impl Fn(&Row) -> Vec<&str>) {
    let mut wrong = Vec::new();
    for row in rows() {
        let found = verdicts(&row, &["--engine", engine, "--model", models], &[]);
        let found: Vec<&str> = found.iter().map(|(_, verdict)| verdict.as_str()).collect();
        let wanted = wanted(&row);
        if found != wanted {
            let (call, before) = (&row.call, &row.before);
            wrong.push(format!("{call} after {before}: {found:?}, not {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_exploration_orders_what_the_table_says() {
    compare("explore", "sc,tso,pso", |row| {
        vec!["holds", &row.tso, &row.pso]
    });
}

#[test]
fn the_search_of_states_orders_what_the_table_says() {
    compare("states", "sc,tso", |row| vec!["holds", &row.tso]);
}

/// The engine sat knows some of the functions.
#[test]
fn formulas_order_what_the_table_says() {
    let known = [
        "pthread_mutex_lock(&o->mutex)",
        "pthread_mutex_trylock",
        "pthread_mutex_timedlock",
        "pthread_mutex_unlock(&o->held)",
        "pthread_spin_",
        "sem_",
        "pthread_cond_signal",
        "pthread_once",
        "pthread_key_create",
        "mtx_",
        "sched_yield",
        "atomic_thread_fence",
    ];
    let mut checked = 0;
    for row in rows() {
        if !known.iter().any(|known| row.call.starts_with(known)) {
            continue;
        }
        let options = ["--engine", "sat", "--model", "all"];
        let found = verdicts(&row, &options, &["-DPLAIN"]);
        let weak = match row.call.starts_with("atomic_thread_fence") {
            true => "holds",
            false => "violated",
        };
        let wanted = ["holds", &row.tso, &row.pso, weak, weak];
        let models = ["sc", "tso", "pso", "rmo", "relaxed"];
        let wanted: Vec<(String, String)> = models
            .into_iter()
            .zip(wanted)
            .map(|(model, verdict)| (model.into(), verdict.into()))
            .collect();
        assert_eq!(found, wanted, "{} after {}", row.call, row.before);
        checked += 1;
    }
    assert!(checked > 20);
}

/// What the table says cannot happen under TSO does not happen here.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_processor_orders_what_holds_under_tso() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("library_orders");
    std::fs::create_dir_all(&directory).expect("a new directory");
    for (number, row) in rows().iter().enumerate() {
        if row.tso != "holds" {
            continue;
        }
        let binary = directory.join(format!("row{number}"));
        let compiled = Command::new("clang")
            .args(["-O1", "-w", "-pthread", "-DNATIVE=2000"])
            .args(defines(row))
            .arg(program())
            .arg("-o")
            .arg(&binary)
            .status();
        assert!(compiled.expect("clang runs").success(), "{}", row.call);
        let run = Command::new(&binary).output().expect("the program runs");
        let seen = String::from_utf8_lossy(&run.stdout).trim().to_owned();
        assert_eq!(seen, "0", "{} after {}", row.call, row.before);
    }
    let _ = std::fs::remove_dir_all(directory);
}
