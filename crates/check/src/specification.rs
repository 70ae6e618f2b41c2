//! Files with what clients of a data type may observe.
//!
//! ```text
//! fencepost specification 1
//!
//! test (e|d)
//! column 1.1 e value
//! column 2.1 d found
//! column 2.1 d value
//! 0 0 0
//! 1 1 1
//! ```
//!
//! One part for each test: the names of what is observed, a line each, then the observations, a
//! number for each name. Empty lines, and lines that begin with `#`, say nothing.

use answer::Outcome;
use program::{Diagnostic, Source, Span, Word};
use solve::Specification;
use std::collections::BTreeMap;

const HEADER: &str = "fencepost specification 1";

/// The specifications of tests, by the tests.
#[derive(Debug, PartialEq, Eq)]
pub struct Specifications {
    source: Source,
    tests: BTreeMap<String, Part>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Part {
    /// Its first line, and those of its columns.
    lines: Vec<usize>,
    specification: Specification,
}

/// A part of a file for the specification of a test.
pub fn part(test: &str, specification: &Specification) -> String {
    let mut text = format!("\ntest {test}\n");
    for column in &specification.columns {
        text += &format!("column {}\n", one_line(column));
    }
    for outcome in &specification.observations {
        let numbers = outcome.0.iter().map(|word| (*word as i64).to_string());
        text += &(numbers.collect::<Vec<_>>().join(" ") + "\n");
    }
    text
}

/// A file with these parts, about operations of these files.
pub fn file(about: &str, parts: &[String]) -> String {
    format!("{HEADER}\n# {}\n{}", one_line(about), parts.concat())
}

/// Labels are the user's, and may be anything.
fn one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}

impl Specifications {
    /// What is known of one test.
    pub fn of_one(test: &str, specification: Specification) -> Self {
        let part = Part {
            lines: Vec::new(),
            specification,
        };
        Specifications {
            source: Source::new("", ""),
            tests: BTreeMap::from([(test.to_owned(), part)]),
        }
    }

    /// Reads a file.
    pub fn read(source: &Source) -> Result<Self, Box<Diagnostic>> {
        let mut tests: BTreeMap<String, Part> = BTreeMap::new();
        let mut current: Option<String> = None;
        let mut lines = source.text.lines().enumerate();
        if lines.next().is_none_or(|(_, first)| first.trim() != HEADER) {
            let message = format!("expected `{HEADER}`");
            return Err(complaint(source, 1, message));
        }
        for (index, line) in lines {
            let number = index + 1;
            let complain = |message: String| Err(complaint(source, number, message));
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(test) = line.strip_prefix("test ") {
                let test = test.trim().to_owned();
                let part = Part {
                    lines: vec![number],
                    ..Part::default()
                };
                if tests.insert(test.clone(), part).is_some() {
                    return complain("this test stands here twice".to_owned());
                }
                current = Some(test);
                continue;
            }
            let Some(part) = current.as_ref().and_then(|test| tests.get_mut(test)) else {
                return complain("expected `test` and a test".to_owned());
            };
            let specification = &mut part.specification;
            if let Some(column) = line.strip_prefix("column ") {
                if !specification.observations.is_empty() {
                    return complain("expected an observation".to_owned());
                }
                specification.columns.push(column.to_owned());
                part.lines.push(number);
                continue;
            }
            let numbers = line.split_whitespace();
            let words: Result<Vec<Word>, _> = numbers
                .map(|n| n.parse::<i64>().map(|n| n as Word))
                .collect();
            let columns = specification.columns.len();
            match words {
                Ok(words) if words.len() == columns => {
                    specification.observations.insert(Outcome(words));
                }
                Ok(_) => return complain(format!("expected {columns} numbers")),
                Err(_) => return complain("expected numbers, `test` or `column`".to_owned()),
            }
        }
        // Who observes nothing observes just that, for which there is no line.
        for part in tests.values_mut() {
            let Specification {
                columns,
                observations,
            } = &mut part.specification;
            if columns.is_empty() {
                observations.insert(Outcome(Vec::new()));
            }
        }
        Ok(Specifications {
            source: source.clone(),
            tests,
        })
    }

    /// The specification of a test with these columns.
    pub fn of(&self, test: &str, columns: &[String]) -> Result<&Specification, Box<Diagnostic>> {
        let source = &self.source;
        let Some(part) = self.tests.get(test) else {
            let known: Vec<&str> = self.tests.keys().map(String::as_str).collect();
            let message = format!(
                "there is no specification of {test}; there are {}",
                known.join(", ")
            );
            return Err(complaint(source, 1, message));
        };
        let found = &part.specification.columns;
        let columns: Vec<String> = columns.iter().map(|column| one_line(column)).collect();
        let differs = (0..found.len().max(columns.len())).find(|&i| found.get(i) != columns.get(i));
        match differs {
            None if part.specification.observations.is_empty() => {
                let message = format!("the specification of {test} has no observations");
                Err(complaint(source, part.lines[0], message))
            }
            None => Ok(&part.specification),
            Some(at) => {
                let message = match columns.get(at) {
                    Some(column) => format!("the client of {test} observes `{column}` here"),
                    None => format!("the client of {test} observes nothing more"),
                };
                // What is missing at the end is reported at the last line there is.
                let line = part.lines.get(1 + at).or(part.lines.last());
                Err(complaint(source, line.copied().unwrap_or(1), message))
            }
        }
    }
}

fn complaint(source: &Source, line: usize, message: String) -> Box<Diagnostic> {
    let text = source.line(line as u32).unwrap_or("");
    Box::new(Diagnostic {
        source: source.clone(),
        message: "this specification does not fit".to_owned(),
        span: Span::new(line as u32, 1, text.chars().count().max(1) as u32),
        label: message,
        others: Vec::new(),
        help: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specification() -> Specification {
        let observations = [[0, 0], [1, -1i64 as Word]];
        Specification {
            columns: vec!["1.1 e value".to_owned(), "2.1 d a\nb".to_owned()],
            observations: observations.map(|words| Outcome(words.to_vec())).into(),
        }
    }

    fn read(text: &str) -> Result<Specifications, String> {
        Specifications::read(&Source::new("file", text)).map_err(|found| told(&found))
    }

    fn told(diagnostic: &Diagnostic) -> String {
        format!("{}: {}", diagnostic.span.line, diagnostic.label)
    }

    #[test]
    fn what_is_written_is_read() {
        let text = file(
            "about",
            &[
                part("(e|d)", &specification()),
                part("(d)", &Specification::default()),
            ],
        );
        let read = read(&text).expect("it is well-formed");
        let columns = specification().columns;
        let found = read.of("(e|d)", &columns).map_err(|found| told(&found));
        assert_eq!(
            found.map(|found| &found.observations),
            Ok(&specification().observations)
        );
        assert!(read.of("(d)", &[]).is_ok());
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_line() {
        let text = file("about", &[part("(e|d)", &specification())]);
        let read_back = read(&text).expect("it is well-formed");
        let other = ["1.1 e value".to_owned(), "2.1 d found".to_owned()];
        let told = |columns: &[String]| {
            read_back
                .of("(e|d)", columns)
                .map_err(|found| told(&found))
                .err()
        };
        let expected = "6: the client of (e|d) observes `2.1 d found` here";
        assert_eq!(told(&other).as_deref(), Some(expected));
        let expected = "6: the client of (e|d) observes nothing more";
        assert_eq!(told(&other[..1]).as_deref(), Some(expected));
    }

    #[test]
    fn bad_lines_are_told() {
        let cases = [
            ("", "1: expected `fencepost specification 1`"),
            ("1 2", "2: expected `test` and a test"),
            ("test a\ncolumn x\n1 2", "4: expected 1 numbers"),
            (
                "test a\ncolumn x\none",
                "4: expected numbers, `test` or `column`",
            ),
            (
                "test a\ncolumn x\n1\ncolumn y",
                "5: expected an observation",
            ),
            ("test a\ntest a", "3: this test stands here twice"),
        ];
        for (text, expected) in cases {
            let text = match text {
                "" => String::new(),
                text => format!("{HEADER}\n{text}"),
            };
            assert_eq!(read(&text).err().as_deref(), Some(expected));
        }
    }
}
