//! `fencepost fences`: the cheapest set of fences that makes a program right.

use crate::arguments::{FencesGoal, FencesOptions};
use crate::clients;
use crate::exit::Exit;
use crate::inputs::{self, Complaint, Input};
use crate::run::{complain, print};
use crate::watch::{interrupts, listener};
use answer::{ModelResult, Verdict};
use check::{Check, DataType, Options, Prove, Robust};
use frontend::c;
use memory::Model;
use program::{Program, Source};
use repair::{Atomic, CFiles, Dialect, Goal, Marked, Outcome, Question, Repair};
use report::{Format, Repaired};
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use tempfile::NamedTempFile;

/// Looks for fences in every program.
pub fn fences(options: &FencesOptions) -> Exit {
    let inputs = match inputs::inputs(&options.common.inputs) {
        Ok(inputs) => inputs,
        Err(complaint) => return complain(&complaint),
    };
    let mut search = options.options();
    search.control.interrupt = interrupts();
    search.listener = listener(&search.control.progress, |_| {});
    let mut exit = Exit::Holds;
    for (index, input) in inputs.iter().enumerate() {
        if index > 0 && options.common.output.format == Format::Text {
            print("\n");
        }
        let found = repair(options, &search, input);
        exit = exit.max(found.unwrap_or_else(|complaint| complain(&complaint)));
    }
    exit
}

/// A program with its places, and how its files are read again.
struct Subject {
    program: Program,
    marked: Marked,
    files: Option<CFiles>,
    goal: Goal,
}

fn repair(options: &FencesOptions, search: &Options, input: &Input) -> Result<Exit, Complaint> {
    if options.model == Model::Sc {
        let text = "sc needs no fences; there are tso, pso, rmo and relaxed";
        return Err(Complaint::Plain(text.to_owned()));
    }
    if options.goal == FencesGoal::Robust && !options.model.row().buffering.is_of_stores() {
        let text = format!(
            "{} has no store buffers; robust takes tso and pso",
            options.model
        );
        return Err(Complaint::Plain(text));
    }
    let started = Instant::now();
    let (named, by) = (input.clone(), options.common.inputs.clone());
    let operations = options.goal == FencesGoal::Atomic;
    let redundant = options.redundant;
    let read = inputs::read_within(&search.control, move |limit| {
        read(&named, &by, operations, redundant, limit)
    });
    let Ok(read) = read else {
        return Err(Complaint::Stopped);
    };
    let (program, marked, files) = read?;
    let spent = started.elapsed();
    let goal = goal(
        options,
        &program,
        Options {
            spent,
            ..search.clone()
        },
    )?;
    let subject = Subject {
        program,
        marked,
        files,
        goal,
    };
    subject.answer(options)
}

type Placed = (Program, Marked, Option<CFiles>);

fn read(
    input: &Input,
    options: &crate::arguments::InputOptions,
    operations: bool,
    redundant: bool,
    limit: &c::Limit,
) -> Result<Placed, Complaint> {
    let Input::C(paths) = input else {
        if operations {
            let text = "the goal atomic takes a data type in C";
            return Err(Complaint::Plain(text.to_owned()));
        }
        let program = inputs::read(input, options, limit)?;
        let marked = match redundant {
            true => repair::weakened(&program),
            false => repair::mark(&program),
        };
        return Ok((program, marked, None));
    };
    if !paths
        .iter()
        .all(|path| path.extension().is_some_and(|end| end == "c"))
    {
        let text = "fences go into C files; .i, .ll and .bc files have no places for them";
        return Err(Complaint::Plain(text.to_owned()));
    }
    let files = CFiles {
        files: paths.clone(),
        options: options.compiler_options.list.clone(),
        compiler: inputs::compiler(paths, options, limit)?,
        operations,
    };
    let (program, marked) = match redundant {
        true => {
            let program = files.read(&[], &[])?;
            let marked = files.weakened(&program);
            (program, marked)
        }
        false => files.read_and_mark()?,
    };
    Ok((program, marked, Some(files)))
}

fn goal(options: &FencesOptions, program: &Program, search: Options) -> Result<Goal, Complaint> {
    Ok(match options.goal {
        FencesGoal::Correct => Goal::Correct(Check {
            options: search,
            ..Check::default()
        }),
        FencesGoal::Proved => Goal::Proved(Prove {
            options: search,
            ..Prove::default()
        }),
        FencesGoal::Robust => Goal::Robust(Robust {
            options: search,
            ..Robust::default()
        }),
        FencesGoal::Atomic => {
            let data_type = DataType::new(program.clone());
            let tests = clients::tests(&data_type, &options.test, &options.tests)?;
            if tests.is_empty() {
                let text = "the goal atomic needs clients: --test or --tests";
                return Err(Complaint::Plain(text.to_owned()));
            }
            Goal::Atomic(Atomic::new(search, tests))
        }
    })
}

impl Subject {
    fn answer(&self, options: &FencesOptions) -> Result<Exit, Complaint> {
        let (model, costs) = (options.model, options.costs());
        let kinds = Dialect::of(&self.program).kinds(model, &costs);
        let candidates = match options.redundant {
            true => repair::remains(&self.marked, &kinds, model, &costs),
            false => repair::repairs(&self.marked, &kinds, model, &costs),
        };
        let question = Question {
            program: &self.program,
            marked: &self.marked,
            goal: &self.goal,
            model,
            candidates: &candidates,
            reduces: options.redundant,
            effort: options.effort(),
        };
        let mut repair = question.answer()?;
        let texts = self.texts(&repair, model);
        if !texts.is_empty() {
            repair.result = self.checked(&texts, &repair, model)?;
            if repair.result.verdict == Verdict::Undecided {
                repair.outcome = Outcome::Undecided(Box::new(repair.result.clone()));
                repair.minimum = false;
            }
        }
        let is_repaired = matches!(repair.outcome, Outcome::Repaired);
        let texts = if is_repaired { texts } else { Vec::new() };
        let repaired = Repaired {
            program: &self.program,
            marked: &self.marked,
            goal: self.goal.name(),
            model,
            repair: &repair,
        };
        match options.common.output.format {
            Format::Text => print(&report::fences_text(&repaired)),
            Format::Json => print(&format!("{}\n", report::fences_json(&repaired))),
        }
        for text in &texts {
            let old = self.original(text);
            if options.diff && options.common.output.format == Format::Text {
                print(&repair::unified_diff(&text.name, old, &text.text));
            }
            if options.apply {
                let done = replace(Path::new(&*text.name), old, &text.text);
                done.map_err(Complaint::Plain)?;
            }
        }
        Ok(match repair.outcome {
            Outcome::Repaired => Exit::Holds,
            Outcome::WrongUnderSc(_) | Outcome::NoFenceHelps(_) | Outcome::WrongAsItIs(_) => {
                Exit::Violated
            }
            Outcome::Undecided(_) => Exit::Undecided,
        })
    }

    /// The files that change, if the program is repaired.
    fn texts(&self, repair: &Repair, model: Model) -> Vec<Source> {
        match repair.outcome {
            Outcome::Repaired if repair.reduces => {
                repair::reduced(&self.program, &self.marked, &repair.changes, model)
            }
            Outcome::Repaired => repair::edited(&self.program, &self.marked, &repair.changes),
            _ => Vec::new(),
        }
    }

    /// The answer for the edited copy, which is read and asked about like the program itself, unless its code has been asked about.
    fn checked(
        &self,
        texts: &[Source],
        repair: &Repair,
        model: Model,
    ) -> Result<ModelResult, Complaint> {
        let edited = match &self.files {
            Some(files) => files.read(texts, &[])?,
            None => frontend::read(&texts[0]).map_err(Box::new)?,
        };
        if self.marked.is_code_with(&repair.placement, &edited) {
            return Ok(repair.result.clone());
        }
        let result = repair::ask(&self.goal, edited, model, repair.time)?;
        match result.verdict {
            Verdict::Holds | Verdict::Undecided => Ok(result),
            verdict => Err(Complaint::Plain(format!(
                "the changes do in the compiled code, but with them in the text it is {verdict}; no file was changed"
            ))),
        }
    }

    fn original(&self, text: &Source) -> &str {
        let mut sources = self.program.included.iter().chain([&self.program.source]);
        let source = sources.find(|source| source.name == text.name);
        source.map_or("", |source| &source.text)
    }
}

/// Writes a new text beside a file and puts it in the file's place, unless the file is no longer what was read.
fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    let shown = path.display();
    let wrong = |error: std::io::Error| format!("cannot edit {shown}: {error}");
    if std::fs::read_to_string(path).map_err(wrong)? != old {
        return Err(format!(
            "{shown} has changed meanwhile; it is left as it is"
        ));
    }
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let write = || -> std::io::Result<()> {
        let mut file = NamedTempFile::new_in(parent.unwrap_or(Path::new(".")))?;
        file.write_all(new.as_bytes())?;
        file.as_file().sync_all()?;
        let permissions = std::fs::metadata(path)?.permissions();
        file.as_file().set_permissions(permissions)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_changed_is_left_as_it_is() {
        let name = format!("fencepost-replace-{}.c", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, "old").expect("a file");
        assert!(replace(&file, "older", "new").is_err_and(|text| text.contains("changed")));
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), "old");
        assert_eq!(replace(&file, "old", "new"), Ok(()));
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), "new");
        std::fs::remove_file(&file).expect("a file");
        assert!(replace(&file, "new", "newer").is_err());
    }
}
