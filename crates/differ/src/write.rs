//! Disagreements as files, and results as text.

use crate::engines::Engine;
use crate::judge::Between;
use crate::print::standalone;
use crate::run::{Case, Options, Summary};
use std::fmt::Write;
use std::path::Path;

/// Writes a case as one or two C files; gives their names.
pub fn write_case(
    case: &Case,
    index: usize,
    options: &Options,
    directory: &Path,
) -> std::io::Result<Vec<String>> {
    std::fs::create_dir_all(directory)?;
    let found = &case.disagreement;
    let what = found.what.split(':').next().unwrap_or_default();
    let name = format!("{index:03}-{}-{what}", case.sketch.family);
    let mut about = String::new();
    let _ = writeln!(about, "/* seed {}, program {}", options.seed, case.number);
    let _ = writeln!(about, "   {}", describe(case).replace("*/", "* /"));
    let spurious = if case.sketch.spurious {
        " --spurious"
    } else {
        ""
    };
    let (finds, misses) = match found.between {
        Between::Engines => (format!("{name}.c"), format!("{name}.c")),
        Between::ProgramShape => (format!("{name}.c"), format!("{name}-shape.c")),
        Between::ShapeProgram => (format!("{name}-shape.c"), format!("{name}.c")),
    };
    for (file, who) in [(&finds, found.finder), (&misses, found.misser)] {
        let line = match command(file, who, what) {
            Some(command) => format!("{command}{spurious}"),
            None => again(case, options),
        };
        let _ = writeln!(about, "   {line}");
    }
    about.push_str("*/\n");
    let mut names = vec![format!("{name}.c")];
    std::fs::write(
        directory.join(&names[0]),
        format!("{about}{}", standalone(&case.sketch)),
    )?;
    if let Some(shape) = &case.shape
        && let Some(other) = shape.apply(&case.sketch)
    {
        names.push(format!("{name}-shape.c"));
        let text = format!("/* {shape:?} of {name}.c */\n{}", standalone(&other));
        std::fs::write(directory.join(&names[1]), text)?;
    }
    Ok(names)
}

/// The command that asks everybody about the program again.
fn again(case: &Case, options: &Options) -> String {
    let native = if options.native.is_some() {
        " --native"
    } else {
        ""
    };
    format!(
        "cargo xtask differ --seed {} --first {} --programs 1{native}",
        options.seed, case.number
    )
}

/// The command that shows an engine's answer, if it is one of the command line's.
fn command(file: &str, (engine, model): (Engine, &'static str), what: &str) -> Option<String> {
    if matches!(engine, Engine::Plain | Engine::Axioms | Engine::Processor) {
        return None;
    }
    let explores = engine.explores();
    let engine = match engine {
        Engine::Schedules => "explore --preemptions all",
        Engine::Observed => "explore",
        engine => engine.name(),
    };
    Some(match what {
        "refine" => format!("fencepost refine {file} --model {model}"),
        "race" => format!("fencepost check {file} --model {model} --engine {engine} --races"),
        "robust" => {
            format!("fencepost robust {file} --model {model}; with check --robust --engine explore")
        }
        "outcome" if explores => {
            format!("fencepost check {file} --model {model} --engine {engine} --all --count")
        }
        "outcome" => format!("fencepost outcomes {file} --model {model} --engine {engine}"),
        "redundant" => format!("fencepost check {file} --model {model} --engine {engine} --count"),
        _ => format!("fencepost check {file} --model {model} --engine {engine}"),
    })
}

/// A disagreement in a line.
pub fn describe(case: &Case) -> String {
    let found = &case.disagreement;
    let (finder, misser) = (found.finder, found.misser);
    let who = |(engine, model): (Engine, &str)| format!("{} under {model}", engine.name());
    let shape = case
        .shape
        .as_ref()
        .map(|shape| format!(", shape {shape:?}"));
    let shape = shape.unwrap_or_default();
    match finder == misser && found.between == Between::Engines {
        true => format!("{}: {}{shape}", found.what, who(finder)),
        false => format!(
            "{} {}: found by {}, missed by {}{shape} ({:?})",
            found.what,
            found.detail,
            who(finder),
            who(misser),
            found.between,
        ),
    }
}

/// What was done, as figures.
pub fn figures(summary: &Summary) -> String {
    let models = ["sc", "tso", "pso", "rmo", "relaxed"];
    let mut text = String::new();
    let seconds = summary.time.as_secs_f64();
    let _ = writeln!(
        text,
        "programs {}, shapes {}, comparisons {}, native programs {} ({} runs), disagreements {}, seconds {seconds:.1}",
        summary.programs,
        summary.shapes,
        summary.comparisons,
        summary.native.0,
        summary.native.1,
        summary.kinds.values().sum::<u64>(),
    );
    for engine in Engine::ALL {
        let list = |counts: &std::collections::BTreeMap<(Engine, usize), u64>| {
            let own = counts.iter().filter(|((of, _), _)| *of == engine);
            own.map(|((_, model), count)| format!("{} {count}", models[*model]))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let complete = list(&summary.complete);
        if complete.is_empty() {
            continue;
        }
        let cut = list(&summary.cut);
        let spent = summary.spent.get(&engine).copied().unwrap_or_default();
        let refused: u64 = summary
            .refused
            .iter()
            .filter(|((of, _), _)| *of == engine)
            .map(|(_, count)| count)
            .sum();
        let _ = writeln!(
            text,
            "{}: answers {complete}; cut {}; refused {refused}; {:.1} s",
            engine.name(),
            if cut.is_empty() { "none" } else { &cut },
            spent.as_secs_f64(),
        );
    }
    for (reason, count) in &summary.unread {
        let _ = writeln!(text, "not read ({count}): {reason}");
    }
    text
}
