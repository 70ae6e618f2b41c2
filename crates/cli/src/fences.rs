//! `fencepost fences`: the cheapest set of fences that makes a program right.

use crate::arguments::{FencesGoal, FencesOptions, InputOptions, OutputOptions};
use crate::clients;
use crate::exit::Exit;
use crate::inputs::{self, Complaint, Input};
use crate::run::{complain, print};
use crate::watch::{interrupts, listening};
use answer::{ModelResult, Verdict};
use check::{Check, DataType, Options, Prove, Robust};
use frontend::c;
use memory::Model;
use program::{Program, Source};
use repair::{Atomic, CFiles, Dialect, Goal, Marked, Outcome, Placement, Question, Repair};
use report::{Format, Repaired};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tempfile::NamedTempFile;

/// Looks for fences in every program.
pub fn fences(options: &FencesOptions) -> Exit {
    let inputs = match inputs::inputs(&options.common.inputs) {
        Ok(inputs) => inputs,
        Err(complaint) => return complain(&complaint),
    };
    if let Some(option) = without_meaning(&options.common.output) {
        let text = format!("fences does not understand {option}; it prints text or json");
        return complain(&Complaint::Plain(text));
    }
    let mut search = options.options();
    search.control.interrupt = interrupts();
    search.listener = listening(&search.control.progress, |_| {}, true);
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

/// An option that is for commands which show executions or findings, if one is given.
fn without_meaning(output: &OutputOptions) -> Option<&'static str> {
    let format = output.format;
    match format {
        _ if output.quiet => Some("--quiet"),
        _ if output.save.is_some() => Some("--save"),
        Format::Text | Format::Json => None,
        Format::Sarif | Format::Junit | Format::Github => Some("this --format"),
    }
}

/// How an input is read.
struct Wanted {
    inputs: InputOptions,
    /// It is a data type.
    operations: bool,
    /// Without its fences and orders.
    redundant: bool,
    /// The program is the one with marks, without them, where that can be.
    from_marks: bool,
}

/// A program with its places, and how its files are read again.
struct Subject {
    program: Program,
    marked: Marked,
    files: Option<CFiles>,
    /// The program is the one with marks, without them. That it is what its text says has yet to be found out.
    is_from_marks: bool,
}

/// The answer for a program, with the texts of its files that change.
struct Answered {
    subject: Subject,
    goal: Goal,
    repair: Repair,
    texts: Vec<Source>,
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
    let found = match answered(options, search, input, true)? {
        Some(found) => found,
        // The text has other code with marks.
        None => answered(options, search, input, false)?.ok_or(Complaint::Stopped)?,
    };
    found.show(options)
}

/// The answer for an input; nothing if the program is read from marks and is not what its text says.
fn answered(
    options: &FencesOptions,
    search: &Options,
    input: &Input,
    from_marks: bool,
) -> Result<Option<Answered>, Complaint> {
    let started = Instant::now();
    let named = input.clone();
    let wanted = Wanted {
        inputs: options.common.inputs.clone(),
        operations: options.goal == FencesGoal::Atomic,
        redundant: options.redundant,
        from_marks,
    };
    let read = inputs::read_within(&search.control, move |limit| {
        Subject::read(&named, &wanted, limit)
    });
    let Ok(read) = read else {
        return Err(Complaint::Stopped);
    };
    let subject = read?;
    let search = Options {
        spent: started.elapsed(),
        ..search.clone()
    };
    let goal = goal(options, &subject.program, search)?;
    subject.answer(options, goal)
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
    fn read(input: &Input, wanted: &Wanted, limit: &c::Limit) -> Result<Subject, Complaint> {
        let options = &wanted.inputs;
        let Input::C(paths) = input else {
            if wanted.operations {
                let text = "the goal atomic takes a data type in C";
                return Err(Complaint::Plain(text.to_owned()));
            }
            let program = inputs::read(input, options, limit)?;
            let marked = match wanted.redundant {
                true => repair::weakened(&program),
                false => repair::mark(&program),
            };
            return Ok(Subject {
                program,
                marked,
                files: None,
                is_from_marks: false,
            });
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
            operations: wanted.operations,
        };
        let is_from_marks = wanted.from_marks && !wanted.redundant && files.has_plain_code();
        let (program, marked) = if wanted.redundant {
            let program = files.read()?;
            let marked = files.weakened(&program);
            (program, marked)
        } else if is_from_marks {
            let marked = files.mark()?;
            (marked.without_marks(), marked)
        } else {
            files.read_and_mark()?
        };
        Ok(Subject {
            program,
            marked,
            files: Some(files),
            is_from_marks,
        })
    }

    fn answer(self, options: &FencesOptions, goal: Goal) -> Result<Option<Answered>, Complaint> {
        let (model, costs) = (options.model, options.costs());
        let kinds = Dialect::of(&self.program).kinds(model, &costs);
        let candidates = match options.redundant {
            true => repair::remains(&self.marked, &kinds, model, &costs),
            false => repair::repairs(&self.marked, &kinds, model, &costs),
        };
        let question = Question {
            program: &self.program,
            marked: &self.marked,
            goal: &goal,
            model,
            candidates: &candidates,
            reduces: options.redundant,
            effort: options.effort(),
        };
        let mut repair = question.answer()?;
        let texts = self.texts(&repair, model);
        // Nothing is said of what is not decided.
        let is_decided = !matches!(repair.outcome, Outcome::Undecided(_));
        if !texts.is_empty() || self.is_from_marks && is_decided {
            match self.checked(&goal, &texts, &repair, model)? {
                Some(result) => repair.result = result,
                None => return Ok(None),
            }
            if !texts.is_empty() && repair.result.verdict == Verdict::Undecided {
                repair.outcome = Outcome::Undecided(Box::new(repair.result.clone()));
                repair.minimum = false;
            }
        }
        let is_repaired = matches!(repair.outcome, Outcome::Repaired);
        Ok(Some(Answered {
            subject: self,
            goal,
            texts: if is_repaired { texts } else { Vec::new() },
            repair,
        }))
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

    /// The answer for the edited copy, or for the text as it is if nothing changes, which is read and asked about like the program itself,
    /// unless its code has been asked about. Nothing if the program is not what its text says.
    fn checked(
        &self,
        goal: &Goal,
        texts: &[Source],
        repair: &Repair,
        model: Model,
    ) -> Result<Option<ModelResult>, Complaint> {
        let read = match &self.files {
            Some(files) if texts.is_empty() => files.read()?,
            Some(files) => files.read_edited(texts)?,
            None => frontend::read(&texts[0]).map_err(Box::new)?,
        };
        let none = Placement::default();
        let placement = match texts.is_empty() {
            true => &none,
            false => &repair.placement,
        };
        if self.marked.is_code_with(placement, &read) {
            return Ok(Some(repair.result.clone()));
        }
        let changes = match texts.is_empty() {
            true => &[],
            false => &repair.changes[..],
        };
        if self.is_from_marks && !self.marked.is_code_apart_from_orders(changes, &read) {
            // A fence may be a call of a function. What the text is without it tells more.
            let original = self.files.as_ref().map(CFiles::read).transpose()?;
            if !original.is_some_and(|original| self.marked.is_code_of(&original)) {
                return Ok(None);
            }
        }
        let result = repair::ask(goal, read, model, repair.time)?;
        match result.verdict {
            Verdict::Holds | Verdict::Undecided => Ok(Some(result)),
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

impl Answered {
    /// Prints the answer, and edits the files if that is asked for.
    fn show(&self, options: &FencesOptions) -> Result<Exit, Complaint> {
        let Answered {
            subject,
            goal,
            repair,
            texts,
        } = self;
        let repaired = Repaired {
            program: &subject.program,
            marked: &subject.marked,
            goal: goal.name(),
            model: options.model,
            repair,
        };
        match options.common.output.format {
            Format::Text => print(&report::fences_text(&repaired)),
            Format::Json | Format::Sarif | Format::Junit | Format::Github => {
                print(&format!("{}\n", report::fences_json(&repaired)));
            }
        }
        for text in texts {
            let old = subject.original(text);
            if options.diff && options.common.output.format == Format::Text {
                print(&repair::unified_diff(&text.name, old, &text.text));
            }
        }
        if options.apply {
            let edits: Vec<Edit> = texts
                .iter()
                .map(|text| Edit {
                    path: Path::new(&*text.name),
                    old: subject.original(text),
                    new: &text.text,
                })
                .collect();
            replace(&edits).map_err(Complaint::Plain)?;
        }
        Ok(match repair.outcome {
            Outcome::Repaired => Exit::Holds,
            Outcome::WrongUnderSc(_) | Outcome::NoFenceHelps(_) | Outcome::WrongAsItIs(_) => {
                Exit::Violated
            }
            Outcome::Undecided(_) => Exit::Undecided,
        })
    }
}

/// A new text for a file.
struct Edit<'t> {
    path: &'t Path,
    old: &'t str,
    new: &'t str,
}

impl Edit<'_> {
    fn wrong(&self, error: &std::io::Error) -> String {
        format!("cannot edit {}: {error}", self.path.display())
    }

    /// Whether the file is still what was read.
    fn look(&self) -> Result<(), String> {
        let now = std::fs::read_to_string(self.path).map_err(|error| self.wrong(&error))?;
        match now == self.old {
            true => Ok(()),
            false => Err(format!(
                "{} has changed meanwhile; no file was edited",
                self.path.display()
            )),
        }
    }

    /// Writes the new text beside the file, or beside the one that a link leads to.
    fn write(&self) -> std::io::Result<(NamedTempFile, PathBuf)> {
        let path = self.path.canonicalize()?;
        let parent = path.parent().unwrap_or(Path::new("/"));
        let mut file = NamedTempFile::new_in(parent)?;
        file.write_all(self.new.as_bytes())?;
        file.as_file().sync_all()?;
        let permissions = std::fs::metadata(&path)?.permissions();
        file.as_file().set_permissions(permissions)?;
        Ok((file, path))
    }
}

/// Puts new texts in the place of files, unless one of them is no longer what was read. All are written before the first is replaced.
fn replace(edits: &[Edit]) -> Result<(), String> {
    edits.iter().try_for_each(Edit::look)?;
    let mut written = Vec::new();
    for edit in edits {
        written.push(edit.write().map_err(|error| edit.wrong(&error))?);
    }
    edits.iter().try_for_each(Edit::look)?;
    for (edit, (file, path)) in edits.iter().zip(written) {
        let done = file.persist(path);
        done.map_err(|failed| edit.wrong(&failed.error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_which_one_has_changed_are_left_as_they_are() {
        let directory = tempfile::tempdir().expect("a directory");
        let [one, two, link] = ["one.c", "two.c", "link.c"].map(|name| directory.path().join(name));
        std::fs::write(&one, "old").expect("a file");
        std::fs::write(&two, "changed").expect("a file");
        std::os::unix::fs::symlink(&one, &link).expect("a link");
        let edit = |path, old, new| Edit { path, old, new };
        let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
        let both = [edit(&one, "old", "new"), edit(&two, "old", "new")];
        assert!(replace(&both).is_err_and(|text| text.contains("two.c has changed")));
        assert_eq!((read(&one), read(&two)), ("old".into(), "changed".into()));
        let both = [edit(&link, "old", "new"), edit(&two, "changed", "new")];
        assert_eq!(replace(&both), Ok(()));
        assert_eq!((read(&one), read(&two)), ("new".into(), "new".into()));
        assert!(link.is_symlink());
        let left = std::fs::read_dir(directory.path()).expect("a directory");
        assert_eq!(left.count(), 3);
        assert!(replace(&[edit(&directory.path().join("none.c"), "", "new")]).is_err());
    }
}
