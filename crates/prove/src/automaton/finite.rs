//! Why a program has no finite automata, and what to do about it.

use super::build::{MOST_STATES, MOST_VALUES};
use machine::Unsupported;
use program::{Address, Diagnostic, Program, Span};
use thiserror::Error;

/// Why there are no automata of a program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NotFinite {
    /// It uses something that has no automaton.
    #[error("{}", .0.what)]
    Unsupported(Unsupported),
    /// A location holds more and more values.
    #[error("{location} holds more than {MOST_VALUES} values")]
    Values {
        /// Its address.
        address: Address,
        /// Its name.
        location: String,
        /// Where it is declared.
        declared: Span,
        /// A store that writes one value too many.
        span: Span,
    },
    /// A thread has more and more states.
    #[error("{thread} has more than {MOST_STATES} states")]
    States {
        /// Its name.
        thread: String,
        /// The register with most values, if it has a name in the source, and how many there are.
        register: Option<(String, usize)>,
        /// Where it has most states.
        span: Span,
    },
}

impl From<Unsupported> for NotFinite {
    fn from(unsupported: Unsupported) -> Self {
        NotFinite::Unsupported(unsupported)
    }
}

impl NotFinite {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            NotFinite::Unsupported(unsupported) => unsupported.span,
            NotFinite::Values { span, .. } | NotFinite::States { span, .. } => *span,
        }
    }

    /// What is reported of a program that has no automata.
    pub fn diagnostic(&self, program: &Program) -> Box<Diagnostic> {
        let span = self.span();
        let file = program.file(span).unwrap_or(&program.source);
        let mut diagnostic = Diagnostic {
            source: file.clone(),
            message: format!("no proof: {self}"),
            span,
            label: String::new(),
            others: Vec::new(),
            help: None,
        };
        match self {
            NotFinite::Unsupported(_) => {
                diagnostic.message = "no proof: this has no finite automaton".to_owned();
                diagnostic.label = self.to_string();
            }
            NotFinite::Values {
                location, declared, ..
            } => {
                diagnostic.label = "it gets new values here again and again".to_owned();
                if *declared != Span::NOWHERE && declared.file == span.file {
                    let what = format!("{location} is declared here");
                    diagnostic.others.push((*declared, what));
                }
                diagnostic.help = Some(format!(
                    "make {location} an `unsigned char`, keep it within a bound (`x = (x + 1) % 4`), or leave large values \
                     out with `fp_assume`"
                ));
            }
            NotFinite::States { register, .. } => {
                diagnostic.label = match register {
                    Some((name, count)) => format!("{name} has {count} values here"),
                    None => "this is reached with more and more different values".to_owned(),
                };
                diagnostic.help = Some(
                    "use an `unsigned char`, keep loops and counters within a bound, or leave large values out with \
                     `fp_assume`"
                        .to_owned(),
                );
            }
        }
        Box::new(diagnostic)
    }
}
