//! `cargo xtask differ --litmus`: the options of the command, for `generate`.

use crate::{Differ, Show, options, prepare};
use generate::Language;
use generate::run::{Options, command, run, test, write_case};
use std::time::Duration;

fn languages(names: &[String]) -> Result<Vec<Language>, String> {
    if names.is_empty() {
        return Ok(Language::ALL.to_vec());
    }
    let known = |name: &String| {
        let found = Language::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| format!("there is no language {name}"))
    };
    names.iter().map(known).collect()
}

/// True if nothing disagrees.
pub fn look(differ: &Differ) -> Result<bool, String> {
    let options = Options {
        tests: differ.programs,
        seed: differ.seed,
        first: differ.first,
        languages: languages(&differ.families)?,
        shapes: differ.shapes,
        jobs: differ.jobs,
        native: differ
            .native
            .then_some(Duration::from_millis(differ.native_milliseconds)),
        directory: options().directory,
        progress: true,
    };
    let stop = prepare()?;
    let summary = run(&options, &stop);
    let _ = std::fs::remove_dir_all(&options.directory);
    let summary = summary?;
    for (index, case) in summary.cases.iter().enumerate() {
        let path = write_case(case, index, &options, &differ.out);
        let path = path.map_err(|error| error.to_string())?;
        let again = command(&options, case.number);
        println!("{}: {}\n  {again}", path.display(), case.disagreement.kind);
    }
    for (kind, count) in &summary.kinds {
        println!("{count} × {kind}");
    }
    print!("{}", summary.figures());
    Ok(summary.kinds.is_empty())
}

/// Prints a test and its shapes.
pub fn show(show: &Show) -> Result<bool, String> {
    let options = Options {
        seed: show.seed,
        languages: languages(&show.families)?,
        ..Options::default()
    };
    let found = test(&options, show.number);
    print!("{}", found.text());
    let seed = generate::run::seed_of(show.seed, show.number);
    for shape in generate::chosen(&found, seed, show.shapes) {
        print!("(* {} *)\n{}", shape.name, shape.test.text());
    }
    Ok(true)
}
