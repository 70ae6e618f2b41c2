//! What is looked at, and the compiler.

use super::heading;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use std::ffi::OsString;
use std::path::PathBuf;

/// What is looked at.
#[derive(Clone, Debug, Args)]
pub struct InputOptions {
    /// Litmus tests and C programs (.c, .i, .ll, .bc); a directory stands for all *.litmus files
    /// in it, - for a litmus test on standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The clang that compiles C programs [default: CLANG in the environment, else the newest in
    /// PATH]
    #[arg(long, value_name = "PATH", help_heading = heading::CLANG)]
    pub clang: Option<PathBuf>,

    #[command(flatten)]
    pub compiler_options: CompilerOptions,
}

/// Options for clang, in the order in which they stand on the command line: `-DA -UA` is not `-UA -DA`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilerOptions {
    pub list: Vec<String>,
}

/// Options of clang that need no `--` before them: how fencepost calls them, what clang calls them, the name of the value and the help.
const KNOWN: [(&str, &str, &str, &str); 5] = [
    (
        "define",
        "-D",
        "NAME[=VALUE]",
        "Define a macro, as clang does",
    ),
    ("undefine", "-U", "NAME", "Undefine a macro"),
    (
        "include",
        "-I",
        "DIRECTORY",
        "Look for headers there as well",
    ),
    (
        "optimise",
        "-O",
        "LEVEL",
        "Optimise as -O1, -O2 or -O3 do; by default, not at all",
    ),
    ("std", "-std=", "STANDARD", "The C standard, such as c11"),
];

/// Options behind `--`.
const REST: &str = "compiler_options";

impl Args for CompilerOptions {
    fn augment_args(command: Command) -> Command {
        let command = KNOWN
            .iter()
            .fold(command, |command, (id, clang, value, help)| {
                let arg = Arg::new(*id)
                    .value_name(*value)
                    .help(*help)
                    .help_heading(heading::CLANG)
                    .action(ArgAction::Append)
                    .allow_hyphen_values(true);
                command.arg(match *id {
                    // Clang has it with one dash and with two.
                    "std" => arg.long("std"),
                    _ => arg.short(clang.chars().nth(1)),
                })
            });
        let rest = Arg::new(REST)
            .value_name("CLANG OPTIONS")
            .help("Any other options for clang")
            .action(ArgAction::Append)
            .num_args(0..)
            .last(true);
        command.arg(rest)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for CompilerOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut found = Vec::new();
        let known = KNOWN.iter().map(|(id, clang, ..)| (*id, *clang));
        for (id, clang) in known.chain([(REST, "")]) {
            let values = matches.get_many::<String>(id).into_iter().flatten();
            let indices = matches.indices_of(id).into_iter().flatten();
            found.extend(indices.zip(values.map(|value| format!("{clang}{value}"))));
        }
        found.sort();
        let list = found.into_iter().map(|(_, option)| option).collect();
        Ok(CompilerOptions { list })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The command line with `--std=c11` for `-std=c11`, which would be three short options.
pub fn with_standard_as_clang_has_it(
    line: impl IntoIterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut behind_dashes = false;
    line.into_iter().map(move |word| {
        behind_dashes |= word == "--";
        match word.to_str().filter(|_| !behind_dashes) {
            Some(text) if text.starts_with("-std=") => format!("-{text}").into(),
            _ => word,
        }
    })
}
