//! What the options come to.

use super::values::{models, seconds};
use super::*;
use ::check::{Preemptions, States};
use clap::CommandFactory;
use memory::Model;
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn the_options_hang_together() {
    Arguments::command().debug_assert();
}

#[test]
fn help_names_the_real_defaults() {
    let help = Arguments::command()
        .find_subcommand_mut("outcomes")
        .map(|command| {
            command
                .render_long_help()
                .to_string()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        })
        .unwrap_or_default();
    let buffer = format!("or {} if the program has loops", States::BUFFER_IN_LOOPS);
    let reorder_box = format!("or {} if the program has loops", States::BOX_IN_LOOPS);
    assert!(help.contains(&buffer), "{help}");
    assert!(help.contains(&reorder_box), "{help}");
}

#[test]
fn models_are_listed_once_strongest_first() {
    let names = |text| models(text).map(|models| models.list);
    assert_eq!(names("rmo,SC,rmo"), Ok(vec![Model::Sc, Model::Rmo]));
    assert_eq!(names("all"), Ok(Model::ALL.to_vec()));
    assert!(names("tso,x86").is_err());
    assert!(models("sc,all").is_ok_and(|models| models.all));
    assert!(models("sc,tso,pso,rmo").is_ok_and(|models| !models.all));
}

fn check(line: &[&str]) -> Result<CheckOptions, clap::Error> {
    let words = ["fencepost", "check", "a.c"].iter().chain(line);
    let Some(Command::Check(options)) = Arguments::try_parse_from(words)?.command else {
        panic!("it is check");
    };
    Ok(options)
}

#[test]
fn preemptions_are_a_number_or_a_series() {
    let asked = |text| check(&["--preemptions", text]).map(|options| options.preemptions);
    let found = |text| asked(text).expect("good arguments");
    assert_eq!(found("2"), Some(Preemptions::AtMost(2)));
    assert_eq!(found("1.."), Some(Preemptions::From(1)));
    assert_eq!(found("all"), Some(Preemptions::From(0)));
    for wrong in ["", "..", "..3", "1..3", "few", "-1"] {
        assert!(asked(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn an_estimate_is_no_search() {
    assert!(check(&["--estimate"]).is_ok_and(|options| options.estimate));
    assert!(check(&["--estimate", "--count"]).is_err());
    assert!(check(&["--estimate", "--all"]).is_err());
}

#[test]
fn executions_are_limited_as_states_are() {
    let options = check(&["--max-executions", "7"]).expect("good arguments");
    assert_eq!(options.question().options.control.max_states, Some(7));
}

fn inputs(line: &[&str]) -> (Vec<PathBuf>, Vec<String>) {
    let words = ["fencepost"].iter().chain(line);
    let arguments = Arguments::try_parse_from(words).expect("good arguments");
    let inputs = match arguments.command.expect("a command") {
        Command::Check(options) => options.common.inputs,
        Command::Outcomes(options) => options.common.inputs,
        Command::Robust(options) => options.common.inputs,
        Command::Prove(options) => options.common.inputs,
        Command::Fences(options) => options.common.inputs,
        Command::Run(options) => options.inputs,
        Command::Ir(options) => options,
        Command::Refine(options) => options.inputs,
        _ => panic!("it takes no programs"),
    };
    (inputs.files, inputs.compiler_options.list)
}

#[test]
fn options_after_two_dashes_are_clangs() {
    for command in [
        "check",
        "outcomes",
        "robust",
        "prove",
        "fences",
        "run",
        "ir",
        "refine --suite 2",
    ] {
        let command = command.split(' ');
        let rest = ["a.c", "b.c", "--", "-DX=1", "--clang", "-O2", "c.c"];
        let line: Vec<&str> = command.chain(rest).collect();
        let (files, options) = inputs(&line);
        assert_eq!(files, [PathBuf::from("a.c"), PathBuf::from("b.c")]);
        assert_eq!(options, ["-DX=1", "--clang", "-O2", "c.c"]);
    }
    let (files, options) = inputs(&["check", "a.c", "--model", "sc"]);
    assert_eq!((files.len(), options.len()), (1, 0));
    let (_, options) = inputs(&["check", "a.c", "--"]);
    assert!(options.is_empty());
}

#[test]
fn options_of_clang_keep_their_order_and_need_no_dashes() {
    let line = [
        "check",
        "-DA",
        "a.c",
        "-U",
        "A",
        "-std=c11",
        "-Iinclude",
        "-DA=2",
        "-O2",
        "--",
        "-Wall",
        "-std=c99",
    ];
    let line: Vec<std::ffi::OsString> = line.iter().map(Into::into).collect();
    let line: Vec<_> = with_standard_as_clang_has_it(line).collect();
    let line: Vec<&str> = line.iter().filter_map(|word| word.to_str()).collect();
    let (files, options) = inputs(&line);
    assert_eq!(files, [PathBuf::from("a.c")]);
    let expected = [
        "-DA",
        "-UA",
        "-std=c11",
        "-Iinclude",
        "-DA=2",
        "-O2",
        "-Wall",
        "-std=c99",
    ];
    assert_eq!(options, expected);
}

#[test]
fn times_are_seconds_or_have_a_unit() {
    let milliseconds = |text| seconds(text).map(|time| time.as_millis());
    for (text, expected) in [
        ("0.5", 500),
        ("10", 10_000),
        ("10s", 10_000),
        ("2m", 120_000),
        ("1h", 3_600_000),
        ("500ms", 500),
    ] {
        assert_eq!(milliseconds(text), Ok(expected), "{text}");
    }
    assert_eq!(seconds("0"), Ok(Duration::ZERO));
    for wrong in ["", "s", "-1", "1d", "inf", "nan", "1e3", "1 s", "1.2.3"] {
        assert!(seconds(wrong).is_err(), "{wrong}");
    }
}

/// Also where nobody has a wider terminal.
#[test]
fn help_fits_eighty_columns() {
    let mut command = Arguments::command();
    command.build();
    let mut pages = vec![command.render_help(), command.render_long_help()];
    for command in command.get_subcommands_mut() {
        pages.extend([command.render_help(), command.render_long_help()]);
    }
    for page in pages {
        for line in page.to_string().lines() {
            assert!(line.chars().count() <= HELP_WIDTH, "{line}");
        }
    }
}
