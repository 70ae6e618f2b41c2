//! A certificate that was tampered with is refused, unless its problem still has no solution.

use crate::proof::proof_of;
use crate::sketch::part;
use certificate::check;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use solve::sat::OrderBy;
use std::collections::{BTreeMap, BTreeSet};

/// The lists of a line up to the first zero after `skip` words.
fn literals(line: &str, skip: usize) -> Vec<i32> {
    let numbers = line
        .split_whitespace()
        .skip(skip)
        .map(|word| word.parse().expect("a number"));
    numbers.take_while(|&number| number != 0).collect()
}

/// Whether the problem that a certificate states has a solution, by trying all assignments.
fn satisfiable(text: &str) -> bool {
    let lines = |kind| text.lines().filter(move |line| line.starts_with(kind));
    let clauses: Vec<Vec<i32>> = lines("c ").map(|line| literals(line, 2)).collect();
    let edge = |line: &str| {
        let node = |at| line.split(' ').nth(at).and_then(|word| word.parse().ok());
        let (from, to): (usize, usize) = (node(1).expect("a node"), node(2).expect("a node"));
        (from, to, literals(line, 3))
    };
    let edges: Vec<(usize, usize, Vec<i32>)> = lines("e ").map(edge).collect();
    let nodes = edges
        .iter()
        .map(|(from, to, _)| from.max(to) + 1)
        .max()
        .unwrap_or(0);
    let used = clauses.iter().chain(edges.iter().map(|(_, _, when)| when));
    let used: BTreeSet<i32> = used.flatten().map(|lit| lit.abs()).collect();
    let places: BTreeMap<i32, usize> = used.into_iter().zip(0..).collect();
    (0u32..1 << places.len()).any(|assignment| {
        let holds = |lit: &i32| (assignment >> places[&lit.abs()] & 1 == 1) == (*lit > 0);
        let mut lost: Vec<bool> = vec![true; nodes];
        for _ in 0..nodes {
            let mut blocked = vec![false; nodes];
            for (from, to, when) in &edges {
                blocked[*to] |= lost[*from] && when.iter().all(holds);
            }
            lost = blocked;
        }
        clauses.iter().all(|clause| clause.iter().any(holds)) && !lost.contains(&true)
    })
}

/// Something done to a certificate.
#[derive(Clone, Debug)]
enum Change {
    Drop(Index),
    Swap(Index, Index),
    Repeat(Index, Index),
    Word(Index, Index, i32),
    DropWord(Index, Index),
    Negate(Index, Index),
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    prop_oneof![
        4 => index().prop_map(Change::Drop),
        1 => (index(), index()).prop_map(|(first, second)| Change::Swap(first, second)),
        1 => (index(), index()).prop_map(|(first, second)| Change::Repeat(first, second)),
        4 => (index(), index(), -9..40).prop_map(|(line, at, to)| Change::Word(line, at, to)),
        4 => (index(), index()).prop_map(|(line, at)| Change::DropWord(line, at)),
        4 => (index(), index()).prop_map(|(line, at)| Change::Negate(line, at)),
    ]
}

impl Change {
    fn apply(&self, lines: &mut Vec<String>) {
        let any = lines.len();
        match self {
            Change::Drop(line) => drop(lines.remove(line.index(any))),
            Change::Swap(first, second) => lines.swap(first.index(any), second.index(any)),
            Change::Repeat(first, second) => {
                let line = lines[first.index(any)].clone();
                lines.insert(second.index(any), line);
            }
            Change::Word(line, at, to) => word(&mut lines[line.index(any)], at, |_| to.to_string()),
            Change::DropWord(line, at) => word(&mut lines[line.index(any)], at, |_| String::new()),
            Change::Negate(line, at) => word(&mut lines[line.index(any)], at, |word| {
                word.strip_prefix('-')
                    .map_or(format!("-{word}"), str::to_owned)
            }),
        }
    }
}

/// Changes a word of a line that is not the first.
fn word(line: &mut String, at: &Index, change: impl FnOnce(&str) -> String) {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    if words.len() > 1 {
        let at = 1 + at.index(words.len() - 1);
        words[at] = change(&words[at]);
        words.retain(|word| !word.is_empty());
        *line = words.join(" ");
    }
}

/// Makes the counts right, so that a certificate is not refused just because of them.
fn recounted(lines: &[String]) -> String {
    let count = |kind| lines.iter().filter(|line| line.starts_with(kind)).count();
    let mut text = String::new();
    for line in lines {
        match line
            .strip_prefix("problem ")
            .map(|sizes| sizes.split(' ').collect::<Vec<_>>())
        {
            Some(sizes) if sizes.len() > 2 => {
                let (clauses, edges) = (count("c "), count("e "));
                text += &format!("problem {} {} {clauses} {edges}\n", sizes[0], sizes[1]);
            }
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_change_proves_what_is_not_so(
        parts in vec(part(), 20..50),
        changes in vec(vec(change(), 1..4), 1..40),
    ) {
        for order in [OrderBy::Theory, OrderBy::Conflicts] {
            let Some(proof) = proof_of(order, &parts) else {
                continue;
            };
            for changes in &changes {
                let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
                changes.iter().for_each(|change| change.apply(&mut lines));
                let text = recounted(&lines);
                if check(text.as_bytes()).is_ok() {
                    prop_assert!(!satisfiable(&text), "accepted:\n{text}");
                }
            }
        }
    }

    #[test]
    fn each_clause_and_edge_that_is_needed_is_missed(parts in vec(part(), 20..50)) {
        let Some(proof) = proof_of(OrderBy::Theory, &parts) else {
            return Ok(());
        };
        let lines: Vec<String> = proof.lines().map(str::to_owned).collect();
        for at in 0..lines.len() {
            let mut fewer = lines.clone();
            let line = fewer.remove(at);
            let text = recounted(&fewer);
            let of_problem = line.starts_with("c ") || line.starts_with("e ");
            if of_problem && satisfiable(&text) {
                prop_assert!(check(text.as_bytes()).is_err(), "accepted without {line}:\n{text}");
            }
        }
    }
}
