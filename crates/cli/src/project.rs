//! `fencepost` alone: all programs of a `fencepost.toml`, found in the current directory or above it.
//!
//! The file names programs, each with its files, models, options and what should come of it. Options are those of the command line, read by the
//! same reader, so that what the command refuses the file cannot ask for. Everything unknown is an error with its line.
//! Names of files are relative to the directory of `fencepost.toml`, where clang runs as well.

use crate::arguments::{Arguments, Command, OutputOptions, with_standard_as_clang_has_it};
use crate::exit::Exit;
use crate::inputs::{self, Complaint, read_within};
use crate::jobs::{Asks, Expectations, Job, Run, idle_option};
use crate::proof;
use crate::run::complain_in;
use crate::watch::interrupts;
use answer::Verdict;
use check::Control;
use clap::builder::TypedValueParser;
use clap::{Args, Parser};
use memory::Model;
use program::{Diagnostic, Source, Span};
use report::{Code, Expected, Format};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use toml::Spanned;

/// The name of the file.
const FILE: &str = "fencepost.toml";

/// Options of `fencepost` without a command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Without a command, for the programs of fencepost.toml")]
pub struct ProjectOptions {
    /// How to print results
    #[arg(short, long, value_parser = format())]
    format: Option<Format>,

    /// Print a line for each program that is not as expected, and nothing else
    #[arg(short, long)]
    quiet: bool,

    /// Write the executions that are shown to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Workers for all programs together [default: all cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

fn format() -> impl TypedValueParser<Value = Format> {
    crate::arguments::format(Format::ALL.iter().copied())
}

impl ProjectOptions {
    /// One that was given, if any was.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.format.is_some(), "--format"),
            (self.quiet, "--quiet"),
            (self.save.is_some(), "--save"),
            (self.jobs.is_some(), "--jobs"),
        ];
        let mut given = given.into_iter().filter(|(given, _)| *given);
        given.next().map(|(_, name)| name)
    }
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Project {
    #[serde(default)]
    defaults: Settings,
    #[serde(default, rename = "program")]
    programs: Vec<Spanned<ProgramTable>>,
}

/// What holds for all programs that do not say otherwise.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Settings {
    command: Option<Spanned<String>>,
    models: Option<Spanned<OneOrMore>>,
    options: Option<Spanned<Vec<String>>>,
    clang: Option<Spanned<String>>,
    clang_options: Option<Spanned<Vec<String>>>,
    expect: Option<Spanned<Expect>>,
}

/// A program, or several with the same options.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ProgramTable {
    name: Option<String>,
    files: Spanned<Vec<String>>,
    command: Option<Spanned<String>>,
    models: Option<Spanned<OneOrMore>>,
    options: Option<Spanned<Vec<String>>>,
    clang: Option<Spanned<String>>,
    clang_options: Option<Spanned<Vec<String>>>,
    expect: Option<Spanned<Expect>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// What should come of a program: under every model, or by model.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a verdict, the code of a violation, or a table of those by model"
)]
enum Expect {
    Always(String),
    ByModel(BTreeMap<String, String>),
}

/// A program as the command line would have it.
struct Asked {
    name: Option<String>,
    command: Command,
    expected: Expectations,
}

/// Looks at every program of the file.
pub fn project(options: &ProjectOptions) -> Exit {
    let format = options.format.unwrap_or(Format::Text);
    let done = run(options, format);
    done.unwrap_or_else(|complaint| complain_in(format, FILE, &complaint))
}

fn run(options: &ProjectOptions, format: Format) -> Result<Exit, Complaint> {
    let plain = |text: String| Complaint::Plain(text);
    let here = std::env::current_dir().map_err(|e| plain(format!("no current directory: {e}")))?;
    let Some(directory) = here
        .ancestors()
        .find(|directory| directory.join(FILE).is_file())
    else {
        let text =
            format!("no {FILE} in this directory or above; `fencepost help` lists the commands");
        return Err(plain(text));
    };
    // The user's names are those of the directory that they are typed in.
    let save = options.save.as_ref().map(|path| match directory == here {
        true => path.clone(),
        false => here.join(path),
    });
    std::env::set_current_dir(directory)
        .map_err(|error| plain(format!("cannot go to {}: {error}", directory.display())))?;
    let text = std::fs::read_to_string(FILE)
        .map_err(|error| plain(format!("cannot read {FILE}: {error}")))?;
    let asked = read(&Source::new(FILE, text))?;
    let interrupt = interrupts();
    let mut jobs = Vec::new();
    for one in &asked {
        jobs.extend(one.jobs(&interrupt)?);
    }
    let output = OutputOptions {
        format,
        quiet: options.quiet,
        save,
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let run = Run {
        jobs: options.jobs.map_or_else(cores, usize::from),
        output: &output,
        interrupt,
        summary: true,
    };
    Ok(run.all(&jobs))
}

/// The programs of a file.
fn read(source: &Source) -> Result<Vec<Asked>, Box<Diagnostic>> {
    let project: Project = toml::from_str(&source.text).map_err(|error| {
        let message = error
            .message()
            .lines()
            .next()
            .unwrap_or("no TOML")
            .to_owned();
        complaint(source, error.span().unwrap_or(0..0), message)
    })?;
    if project.programs.is_empty() {
        let message = "there is no [[program]]".to_owned();
        return Err(complaint(source, 0..0, message));
    }
    let programs = project.programs.iter();
    programs
        .map(|program| asked(source, &project.defaults, program))
        .collect()
}

/// What is wrong in a stretch of the file.
fn complaint(source: &Source, range: Range<usize>, message: String) -> Box<Diagnostic> {
    let text = &source.text;
    let start = range.start.min(text.len());
    let before = &text[..start];
    let line = before.matches('\n').count() as u32 + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |line| line.chars().count()) as u32
        + 1;
    let stretch = text[start..range.end.clamp(start, text.len())]
        .lines()
        .next();
    let length = stretch.map_or(0, |stretch| stretch.chars().count()) as u32;
    Box::new(Diagnostic {
        source: source.clone(),
        message,
        span: Span::new(line, column, length.max(1)),
        label: String::new(),
        others: Vec::new(),
        help: Some("docs/reference/project.md lists what there is".to_owned()),
    })
}

fn asked(
    source: &Source,
    defaults: &Settings,
    table: &Spanned<ProgramTable>,
) -> Result<Asked, Box<Diagnostic>> {
    let program = table.get_ref();
    let wrong = |range: Range<usize>, message: String| Err(complaint(source, range, message));
    if program.files.get_ref().is_empty() {
        return wrong(program.files.span(), "a program has a file".to_owned());
    }
    let command = program.command.as_ref().or(defaults.command.as_ref());
    let name = command.map_or("check", |command| command.get_ref());
    if let Some(command) = command.filter(|_| !["check", "robust", "prove"].contains(&name)) {
        let text = format!("{name} gives no verdict; there are check, robust and prove");
        return wrong(command.span(), text);
    }
    let mut line: Vec<String> = vec!["fencepost".to_owned(), name.to_owned()];
    let models = program.models.as_ref().or(defaults.models.as_ref());
    if let Some(models) = models {
        let models = match models.get_ref() {
            OneOrMore::One(one) => one.clone(),
            OneOrMore::More(several) => several.join(","),
        };
        line.push(format!("--model={models}"));
    }
    if let Some(clang) = program.clang.as_ref().or(defaults.clang.as_ref()) {
        line.push(format!("--clang={}", clang.get_ref()));
    }
    // Those of the program come after those of all, and count where one takes back the other.
    let both = |all: &Option<Spanned<Vec<String>>>, own: &Option<Spanned<Vec<String>>>| {
        let both = all
            .iter()
            .chain(own)
            .flat_map(|list| list.get_ref().clone());
        both.collect::<Vec<String>>()
    };
    line.extend(both(&defaults.options, &program.options));
    let behind = both(&defaults.clang_options, &program.clang_options);
    for file in program.files.get_ref() {
        // A name that begins with a dash is no option.
        line.push(match file.starts_with('-') {
            true => format!("./{file}"),
            false => file.clone(),
        });
    }
    line.push("--".to_owned());
    line.extend(behind);
    let words = line.iter().map(Into::into);
    let parsed = Arguments::try_parse_from(with_standard_as_clang_has_it(words));
    // What is wrong stands in the options, or is about the program as a whole.
    let range = || match (&program.options, &program.models) {
        (Some(options), _) => options.span(),
        (None, Some(models)) => models.span(),
        (None, None) => table.span(),
    };
    let command = match parsed.map(|arguments| arguments.command) {
        Ok(Some(command)) => command,
        Ok(None) => return wrong(range(), "this is no program".to_owned()),
        Err(error) => {
            let text = error.render().to_string();
            let first = text.lines().next().unwrap_or_default();
            let message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
            return wrong(range(), message);
        }
    };
    let asked = Asked {
        name: program.name.clone(),
        command,
        expected: expectations(source, program.expect.as_ref().or(defaults.expect.as_ref()))?,
    };
    let output = asked.asks().map(|asks| &asks.common().output);
    if output.is_some_and(|output| {
        output.format != Format::Text || output.quiet || output.save.is_some()
    }) {
        let text = "how results are printed belongs on the command line of `fencepost`".to_owned();
        return wrong(range(), text);
    }
    Ok(asked)
}

fn expectations(
    source: &Source,
    expect: Option<&Spanned<Expect>>,
) -> Result<Expectations, Box<Diagnostic>> {
    let Some(expect) = expect else {
        return Ok(Expectations {
            otherwise: Some(Expected::Verdict(Verdict::Holds)),
            ..Expectations::default()
        });
    };
    let wrong = |message: String| complaint(source, expect.span(), message);
    let read = |text: &str| {
        let verdicts = [Verdict::Holds, Verdict::Violated, Verdict::Undecided];
        let mut verdicts = verdicts.into_iter();
        let verdict = verdicts.find(|verdict| verdict.to_string() == text);
        let code = || Code::named(text).map(Expected::Code);
        let found = verdict.map(Expected::Verdict).or_else(code);
        found.ok_or_else(|| {
            wrong(format!(
                "{text} is no verdict (holds, violated, undecided) and no code of `fencepost explain`"
            ))
        })
    };
    let mut expected = Expectations::default();
    match expect.get_ref() {
        Expect::Always(text) => expected.otherwise = Some(read(text)?),
        Expect::ByModel(by_model) => {
            expected.otherwise = Some(Expected::Verdict(Verdict::Holds));
            for (model, text) in by_model {
                let model: Model = model
                    .parse()
                    .map_err(|e: memory::UnknownModel| wrong(e.to_string()))?;
                expected.of_models.push((model, read(text)?));
            }
        }
    }
    Ok(expected)
}

impl Asked {
    fn asks(&self) -> Option<&dyn Asks> {
        match &self.command {
            Command::Check(options) => Some(options),
            Command::Robust(options) => Some(options),
            Command::Prove(options) => Some(options),
            _ => None,
        }
    }

    /// A job for each program among the files.
    fn jobs(&self, interrupt: &Arc<AtomicBool>) -> Result<Vec<Job<'_>>, Complaint> {
        let Some(asks) = self.asks() else {
            return Ok(Vec::new());
        };
        let proof = match &self.command {
            Command::Check(options) => options.proof.as_deref(),
            Command::Prove(options) => options.certificate.as_deref(),
            _ => None,
        };
        proof::one(proof, asks.common(), &asks.models())?;
        let by = asks.common().inputs.clone();
        let control = Control {
            interrupt: interrupt.clone(),
            ..asks.common().options().control
        };
        let found = read_within(&control, move |limit| inputs::programs(&by, limit));
        let found = found.map_err(|_| Complaint::Stopped)??;
        if let Some(complaint) = idle_option(asks, &found) {
            return Err(complaint);
        }
        let several = found.len() > 1;
        let jobs = found.into_iter().map(|input| Job {
            asks,
            name: self.name.as_ref().map(|name| match several {
                true => format!("{name}: {input}"),
                false => name.clone(),
            }),
            input,
            expected: self.expected.clone(),
        });
        Ok(jobs.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (u32, String) {
        let Err(diagnostic) = read(&Source::new(FILE, text)) else {
            panic!("{text} is refused");
        };
        (diagnostic.span.line, diagnostic.message)
    }

    #[test]
    fn a_program_has_its_own_options_behind_those_of_all() {
        let text = "[defaults]\nmodels = \"sc\"\nclang-options = [\"-DA\"]\n\
                    [[program]]\nfiles = [\"a.c\"]\nmodels = [\"tso\", \"pso\"]\n\
                    options = [\"--races\"]\nclang-options = [\"-UA\"]\nexpect = { pso = \"FP001\" }\n";
        let asked = read(&Source::new(FILE, text))
            .ok()
            .and_then(|mut asked| asked.pop());
        let Some(Asked {
            command: Command::Check(options),
            expected,
            ..
        }) = asked
        else {
            panic!("it is check");
        };
        assert!(options.races);
        assert_eq!(options.model.list, [Model::Tso, Model::Pso]);
        let clang = options.common.inputs.compiler_options.list;
        assert_eq!(clang, ["-DA", "-UA"]);
        assert_eq!(expected.otherwise, Some(Expected::Verdict(Verdict::Holds)));
        assert!(
            matches!(expected.of_models[..], [(Model::Pso, Expected::Code(code))] if code.number == 1)
        );
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        assert_eq!(
            wrong("[[program]]\nfiles = [\"a.c\"]\nmodel = \"sc\"\n").0,
            3
        );
        assert_eq!(wrong("[defaults]\ntimeout = 3\n").0, 2);
        let (line, message) =
            wrong("[[program]]\nfiles = [\"a.c\"]\noptions = [\"--frobnicate\"]\n");
        assert_eq!(line, 3);
        assert!(message.contains("--frobnicate"), "{message}");
        assert_eq!(
            wrong("[[program]]\nfiles = [\"a.c\"]\nexpect = \"good\"\n").0,
            3
        );
        assert_eq!(wrong("[[program]]\nfiles = []\n").0, 2);
        assert_eq!(
            wrong("[[program]]\nfiles = [\"a.c\"]\ncommand = \"outcomes\"\n").0,
            3
        );
        assert_eq!(
            wrong("[[program]]\nfiles = [\"a.c\"]\noptions = [\"-q\"]\n").0,
            3
        );
        assert!(wrong("").1.contains("[[program]]"));
    }
}
