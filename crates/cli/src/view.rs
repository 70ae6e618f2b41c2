//! How reports are shown: options, and what the terminal is like.

use crate::arguments::heading;
use clap::{Args, ValueEnum};
use console::Term;
use report::View;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// Options on how reports are shown, of every command.
#[derive(Clone, Debug, Default, Args)]
pub struct ViewOptions {
    /// Show every step of an execution, also those that do not matter
    #[arg(long, global = true, help_heading = heading::OUTPUT)]
    full: bool,

    /// When to use colours; auto means on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        help_heading = heading::OUTPUT
    )]
    color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// Narrower lines than this show nothing any more.
const NARROWEST: usize = 40;

static OPTIONS: OnceLock<ViewOptions> = OnceLock::new();

/// Sets the options, once.
pub fn choose(options: &ViewOptions) {
    let _ = OPTIONS.set(options.clone());
}

/// How reports on standard output are shown.
pub fn view() -> View {
    view_on(&Term::stdout(), std::io::stdout().is_terminal())
}

/// How messages on standard error are shown.
pub fn view_of_errors() -> View {
    view_on(&Term::stderr(), std::io::stderr().is_terminal())
}

fn view_on(term: &Term, is_terminal: bool) -> View {
    let options = OPTIONS.get().cloned().unwrap_or_default();
    let set =
        |name| std::env::var_os(name).is_some_and(|value: std::ffi::OsString| !value.is_empty());
    let asked = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let of_terminal = || is_terminal.then(|| usize::from(term.size().1));
    View {
        width: asked
            .or_else(of_terminal)
            .unwrap_or(View::default().width)
            .max(NARROWEST),
        color: match options.color {
            Color::Auto => is_terminal && !set("NO_COLOR"),
            Color::Always => true,
            Color::Never => false,
        },
        full: options.full,
        replay: None,
    }
}
