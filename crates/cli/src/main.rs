//! The `fencepost` command: options, files, progress, exit codes.

/// Tells the user something on standard error; nothing is lost if nobody can read it.
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::run::write_error(format_args!("{}\n", format_args!($($text)*)))
    };
}

mod arguments;
mod certify;
mod check;
mod clients;
mod exit;
mod explain;
mod fences;
mod inputs;
mod jobs;
mod manual;
mod monitor;
mod once;
mod page;
mod patient;
mod pictures;
mod project;
mod proof;
mod prove;
mod refine;
mod replay;
mod robust;
mod run;
mod save;
mod view;
mod watch;

use arguments::{Arguments, Command, with_standard_as_clang_has_it};
use clap::Parser;
use exit::Exit;
use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments =
        match Arguments::try_parse_from(with_standard_as_clang_has_it(std::env::args_os())) {
            Ok(arguments) => arguments,
            Err(error) if error.use_stderr() || std::io::stdout().is_terminal() => error.exit(),
            // Help and version are output like any other.
            Err(error) => {
                run::print(&error.render().to_string());
                return Exit::Holds.into();
            }
        };
    view::choose(&arguments.view);
    let Some(command) = &arguments.command else {
        return project::project(&arguments.project).into();
    };
    if let Some(option) = arguments.project.given() {
        let text = format!("{option} belongs behind the command");
        return run::complain(&inputs::Complaint::Plain(text)).into();
    }
    let finished = std::panic::catch_unwind(|| match command {
        Command::Outcomes(options) => run::outcomes(options),
        Command::Check(options) => check::check(options),
        Command::Robust(options) => robust::robust(options),
        Command::Prove(options) => prove::prove(options),
        Command::Refine(options) => refine::refine(options),
        Command::Fences(options) => fences::fences(options),
        Command::Certify(options) => certify::certify(options),
        Command::Run(options) => once::once(options),
        Command::Monitor(options) => monitor::monitor(options),
        Command::Ir(options) => run::ir(options),
        Command::Replay(options) => replay::replay(options),
        Command::Explain(options) => explain::explain(options),
        Command::Functions => run::functions(),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man(options) => manual::man(options),
    });
    match finished {
        Ok(exit) => exit.into(),
        Err(_) => {
            tell!("{}", run::BUG);
            Exit::BadInput.into()
        }
    }
}
