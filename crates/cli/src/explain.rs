//! `fencepost explain`: what a kind of violations means.

use crate::exit::Exit;
use crate::inputs::Complaint;
use crate::run::{complain, print};
use crate::view::view;
use clap::Args;
use report::Code;

#[derive(Debug, Args)]
pub struct ExplainOptions {
    /// The code of a violation, such as FP003, or its kind, such as deadlock; all kinds are listed without one
    #[arg(value_name = "CODE")]
    codes: Vec<String>,
}

/// Explains codes, or lists them.
pub fn explain(options: &ExplainOptions) -> Exit {
    if options.codes.is_empty() {
        print(&report::codes_text());
        return Exit::Holds;
    }
    let mut texts = Vec::new();
    for name in &options.codes {
        let Some(code) = Code::named(name) else {
            let text = format!("there is no violation {name}; `fencepost explain` lists all");
            return complain(&Complaint::Plain(text));
        };
        texts.push(report::code_text(code, view().width));
    }
    print(&texts.join("\n"));
    Exit::Holds
}
