//! All small clients of a data type.

use super::{Invocation, Operation, Test};
use std::ops::Range;

/// All tests of at most `most` operations with two threads or more, up to the order of the
/// threads: first those with fewer operations, then those with fewer initial ones, then
/// those with fewer threads.
pub fn suite(operations: &[Operation], most: usize) -> Suite {
    let names: Vec<String> = operations.iter().map(|o| o.name.clone()).collect();
    Suite {
        sizes: match names.is_empty() {
            true => 0..0,
            false => 2..most + 1,
        },
        names,
        shapes: Vec::new(),
        current: None,
    }
}

/// The tests of a [`suite`], in order.
#[derive(Clone, Debug)]
pub struct Suite {
    names: Vec<String>,
    /// Numbers of operations still to come; there are very many shapes of large ones.
    sizes: Range<usize>,
    /// Shapes of the current number of operations still to come, the next one last.
    shapes: Vec<Shape>,
    /// The next test: its shape, and the operations of each of its sequences.
    current: Option<(Shape, Vec<Vec<usize>>)>,
}

/// How many operations each sequence of a test has: first the initial one, then the threads,
/// the longest first.
type Shape = Vec<usize>;

/// The shapes of tests of this many operations.
fn shapes(operations: usize) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for initial in 0..operations.saturating_sub(1) {
        let mut of_threads = partitions(operations - initial);
        of_threads.retain(|threads| threads.len() > 1);
        of_threads.sort_by_key(Vec::len);
        shapes.extend(
            of_threads
                .into_iter()
                .map(|threads| [vec![initial], threads].concat()),
        );
    }
    shapes
}

/// The ways to write a number as a sum, its parts in descending order.
fn partitions(number: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    // Each round appends a part to those that are not whole yet.
    while found
        .iter()
        .any(|parts| parts.iter().sum::<usize>() < number)
    {
        let longer = found.into_iter().flat_map(|parts: Vec<usize>| {
            let left = number - parts.iter().sum::<usize>();
            let most = parts.last().copied().unwrap_or(number).min(left);
            let next = (1..=most).rev().map({
                let parts = parts.clone();
                move |part| [&parts[..], &[part]].concat()
            });
            let whole = (left == 0).then_some(parts);
            whole.into_iter().chain(next).collect::<Vec<_>>()
        });
        found = longer.collect();
    }
    found
}

impl Iterator for Suite {
    type Item = Test;

    fn next(&mut self) -> Option<Test> {
        let (shape, sequences) = match self.current.take() {
            Some(current) => current,
            None => {
                while self.shapes.is_empty() {
                    self.shapes = shapes(self.sizes.next()?);
                    self.shapes.reverse();
                }
                let shape = self.shapes.pop()?;
                let first = shape.iter().map(|length| vec![0; *length]).collect();
                (shape, first)
            }
        };
        let mut read = sequences.iter().map(|sequence| {
            let invocation = |index: &usize| Invocation {
                operation: self.names[*index].clone(),
                primed: false,
            };
            sequence.iter().map(invocation).collect()
        });
        let test = Test {
            name: String::new(),
            initial: read.next().unwrap_or_default(),
            threads: read.collect(),
        };
        self.current = following(&shape, sequences, self.names.len()).map(|next| (shape, next));
        Some(test)
    }
}

/// The next test of a shape: counts up in the last sequence that can, and starts over behind
/// it. Threads of one length stay in ascending order, so that each set of threads comes once.
fn following(
    shape: &Shape,
    mut sequences: Vec<Vec<usize>>,
    operations: usize,
) -> Option<Vec<Vec<usize>>> {
    let at = (0..sequences.len())
        .rev()
        .find(|at| sequences[*at].iter().any(|index| index + 1 < operations))?;
    let digits = &mut sequences[at];
    let digit = digits.iter().rposition(|index| index + 1 < operations)?;
    digits[digit] += 1;
    digits[digit + 1..].fill(0);
    for later in at + 1..sequences.len() {
        sequences[later] = match later > 1 && shape[later] == shape[later - 1] {
            true => sequences[later - 1].clone(),
            false => vec![0; shape[later]],
        };
    }
    Some(sequences)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::program::FunctionId;
    use std::collections::BTreeSet;

    fn queue() -> Vec<Operation> {
        let operation = |name: &str| Operation {
            name: name.to_owned(),
            function: FunctionId(0),
        };
        ["e", "d"].map(operation).into()
    }

    #[test]
    fn small_tests_come_first() {
        let shown: Vec<String> = suite(&queue(), 3).map(|test| test.to_string()).collect();
        let expected = [
            "(e|e)", "(e|d)", "(d|d)", // two operations
            "(ee|e)", "(ee|d)", "(ed|e)", "(ed|d)", "(de|e)", "(de|d)", "(dd|e)", "(dd|d)",
            "(e|e|e)", "(e|e|d)", "(e|d|d)", "(d|d|d)", // more threads
            "e(e|e)", "e(e|d)", "e(d|d)", "d(e|e)", "d(e|d)", "d(d|d)",
        ];
        assert_eq!(shown, expected);
        assert_eq!(suite(&queue(), 1).count(), 0);
        assert_eq!(suite(&[], 4).count(), 0);
    }

    #[test]
    fn every_test_comes_once() {
        // By brute force: all words over operations and separators.
        let mut expected = BTreeSet::new();
        for length in 3..=9 {
            for mut number in 0..4usize.pow(length) {
                let word: String = (0..length)
                    .map(|_| {
                        let letter = ['e', 'd', '|', '('][number % 4];
                        number /= 4;
                        letter
                    })
                    .collect();
                let (initial, threads) = word.split_once('(').unwrap_or(("", ""));
                let mut threads: Vec<&str> = threads.split('|').collect();
                threads.sort();
                let operations = word.matches(['e', 'd']).count();
                if initial.chars().all(|c| c != '|')
                    && threads.len() > 1
                    && threads.iter().all(|t| !t.is_empty() && !t.contains('('))
                    && operations <= 4
                {
                    expected.insert((initial.to_owned(), threads.join("|")));
                }
            }
        }
        let tests: Vec<(String, String)> = suite(&queue(), 4)
            .map(|test| {
                let text = test.to_string();
                let (initial, threads) = text.trim_end_matches(')').split_once('(').unwrap();
                let mut threads: Vec<&str> = threads.split('|').collect();
                threads.sort();
                (initial.to_owned(), threads.join("|"))
            })
            .collect();
        assert_eq!(tests.len(), expected.len());
        assert_eq!(tests.into_iter().collect::<BTreeSet<_>>(), expected);
    }
}
