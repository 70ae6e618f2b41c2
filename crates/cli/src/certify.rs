//! `fencepost certify`: whether a proof is right.

use crate::arguments::CertifyOptions;
use crate::exit::Exit;
use crate::inputs::Complaint;
use crate::run::{complain, print};
use certificate::{CertificateError, Reason, Summary};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// Checks a proof.
pub fn certify(options: &CertifyOptions) -> Exit {
    let name = match options.proof == Path::new("-") {
        true => "<stdin>".to_owned(),
        false => options.proof.display().to_string(),
    };
    let input: Box<dyn Read> = match options.proof == Path::new("-") {
        true => Box::new(std::io::stdin()),
        false => match File::open(&options.proof) {
            Ok(file) => Box::new(file),
            Err(error) => {
                return complain(&Complaint::Plain(format!("cannot read {name}: {error}")));
            }
        },
    };
    match certificate::check(BufReader::new(input)) {
        Ok(summary) => {
            print(&summary_text(&name, &summary));
            Exit::Holds
        }
        Err(CertificateError { line, reason }) => match reason {
            Reason::Unreadable(error) => {
                complain(&Complaint::Plain(format!("cannot read {name}: {error}")))
            }
            Reason::NotACertificate => complain(&Complaint::Plain(format!(
                "{name} is no proof of Fencepost: line {line} {reason}"
            ))),
            reason => {
                print(&format!("{name}:{line}: the proof is wrong: {reason}\n"));
                Exit::Violated
            }
        },
    }
}

fn summary_text(name: &str, summary: &Summary) -> String {
    let count = |number: u64, one: &str, many: &str| {
        let word = if number == 1 { one } else { many };
        format!("{} {word}", report::grouped(number))
    };
    let about = summary.about.iter().map(|line| format!("  {line}\n"));
    let about: String = about.collect();
    let said = match about.is_empty() {
        true => String::new(),
        false => format!("{name} says of itself\n{about}"),
    };
    format!(
        "{said}the proof is right: {} and {} have no solution without a cycle of {}, by {} and {}\n",
        count(summary.variables, "variable", "variables"),
        count(summary.clauses, "clause", "clauses"),
        count(summary.edges, "edge", "edges"),
        count(summary.lemmas, "cycle", "cycles"),
        count(summary.steps, "step", "steps"),
    )
}
