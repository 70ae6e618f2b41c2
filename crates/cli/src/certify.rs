//! `fencepost certify`: whether a proof is right.

use crate::arguments::CertifyOptions;
use crate::clients;
use crate::exit::Exit;
use crate::inputs::{self, Complaint};
use crate::run::{complain, print};
use certificate::{CertificateError, Proved, Reason, Summary};
use check::proof::{MODEL, PROGRAM, QUESTION, REFINE, program_hash, refine_question, system_hash};
use frontend::c;
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
            match differences(options, &summary) {
                Ok(differences) if differences.is_empty() => Exit::Holds,
                Ok(differences) => {
                    print(&differences);
                    Exit::Violated
                }
                Err(complaint) => complain(&complaint),
            }
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

/// In what the proof is not for what the user names, a line each.
fn differences(options: &CertifyOptions, summary: &Summary) -> Result<String, Complaint> {
    let mut wanted = Vec::new();
    if !options.files.is_empty() {
        let refines = summary
            .value(QUESTION)
            .is_some_and(|q| q.starts_with(REFINE));
        let inputs = options.inputs();
        let program = match refines {
            true => clients::read(&inputs, &c::Limit::default())?.program,
            false => match inputs::inputs(&inputs)?.as_slice() {
                [input] => inputs::read(input, &inputs, &c::Limit::default())?,
                _ => {
                    let text = "a proof is of one program";
                    return Err(Complaint::Plain(text.to_owned()));
                }
            },
        };
        wanted.push((PROGRAM, program_hash(&program)));
        if let Proved::Unreachable(size) = &summary.proved {
            let model = summary.value(MODEL).and_then(|name| name.parse().ok());
            let system = model.and_then(|model| system_hash(&program, model));
            if system.as_ref() != Some(&size.system) {
                return Ok("but its automata are not those of the program\n".to_owned());
            }
        }
    }
    wanted.extend(options.model.map(|model| (MODEL, model.name().to_owned())));
    let test = options.test.as_deref().map(refine_question);
    wanted.extend(test.map(|question| (QUESTION, question)));
    let differs = wanted.iter().filter_map(|(name, value)| {
        let text = match summary.value(name) {
            Some(found) if found == value => return None,
            Some(_) if *name == PROGRAM => "but it is for another program".to_owned(),
            Some(found) => format!("but it is for the {name} {found}, not {value}"),
            None => format!("but it does not say for which {name} it is"),
        };
        Some(text + "\n")
    });
    Ok(differs.collect())
}

fn summary_text(name: &str, summary: &Summary) -> String {
    let count = |number: u64, one: &str, many: &str| {
        let word = if number == 1 { one } else { many };
        format!("{} {word}", report::grouped(number))
    };
    let subject = summary.subject.iter();
    let subject = subject.map(|(name, value)| format!("  {name}: {value}\n"));
    let about = summary.about.iter().map(|line| format!("  {line}\n"));
    let about: String = subject.chain(about).collect();
    let said = match about.is_empty() {
        true => String::new(),
        false => format!("{name} says of itself\n{about}"),
    };
    let shown = match &summary.proved {
        Proved::NoSolution(size) => format!(
            "{} and {} have no solution without a cycle of {}, by {} and {}",
            count(size.variables, "variable", "variables"),
            count(size.clauses, "clause", "clauses"),
            count(size.edges, "edge", "edges"),
            count(size.lemmas, "cycle", "cycles"),
            count(size.steps, "step", "steps"),
        ),
        Proved::Unreachable(size) => {
            let kinds = [
                (size.states, "state", "states"),
                (
                    size.merged,
                    "state with merged stores",
                    "states with merged stores",
                ),
                (size.sets, "state with value sets", "states with value sets"),
                (
                    size.elements,
                    "element with load buffers",
                    "elements with load buffers",
                ),
            ];
            let kinds = kinds.into_iter().filter(|(number, ..)| *number > 0);
            let invariant: Vec<String> = kinds.map(|(n, one, many)| count(n, one, many)).collect();
            format!(
                "{} with {} never reach {}, by an invariant of {}",
                count(size.threads, "thread", "threads"),
                count(size.transitions, "transition", "transitions"),
                count(size.goals, "goal", "goals"),
                invariant.join(" and "),
            )
        }
    };
    format!("{said}the proof is right: {shown}\n")
}
