//! Certificates of generated systems: right ones are accepted, and what is done to them is noticed.

use super::generate::Numbers;
use control::Stop;
use memory::{Buffering, Model};
use prove::automaton::System;
use prove::bounded::{Bounded, BoundedSearch};
use prove::certificate::{Invariant, hash, system_text, text};
use prove::dual::{Backward, DualSearch};
use prove::forward::{Reachable, maximal};
use prove::goal::Goal;
use prove::merged::{Found, MergedSearch};

const MOST: usize = 100_000;

/// How many certificates were tried.
#[derive(Default)]
pub struct Tried {
    pub accepted: usize,
    pub mutilated: usize,
    pub of_other_goals: usize,
}

/// Every invariant that shows a goal to be out of reach.
pub fn invariants(system: &System, goal: &Goal, stop: &Stop) -> Vec<Invariant> {
    let goals = std::slice::from_ref(goal);
    let mut found = Vec::new();
    let mut bounded = BoundedSearch::new(system, goals, Buffering::PerThread).plain();
    if bounded.run(2_000, stop) == Bounded::Unreachable {
        let states = bounded.configurations().collect();
        found.push(Invariant::StoreBuffers(states));
    }
    let reachable = Reachable::of(system, goals, MOST, stop).expect("few states");
    let sets = maximal(system, MOST, stop).expect("few states");
    if reachable.safe {
        found.push(Invariant::ValueSets(sets.clone()));
    }
    for (reachable, sets) in [(Some(&reachable), sets), (None, Vec::new())] {
        let mut dual = DualSearch::new(system, goals, reachable).expect("few sequences");
        if dual.run(MOST, stop) == Backward::Unreachable {
            // Where value sets exclude the goal itself there is nothing left for elements to say.
            let elements = dual.minimal();
            if !elements.is_empty() {
                found.push(Invariant::LoadBuffers(sets, elements));
            }
        }
    }
    found
}

/// The same under PSO, where buffers of a few stores are enough, and with so many stores to each location kept in order.
pub fn invariants_of_pso(
    system: &System,
    goal: &Goal,
    kept: Option<usize>,
    stop: &Stop,
) -> Vec<Invariant> {
    let goals = std::slice::from_ref(goal);
    let mut found = Vec::new();
    let mut bounded = BoundedSearch::new(system, goals, Buffering::PerLocation).plain();
    if bounded.run(2_000, stop) == Bounded::Unreachable {
        let states = bounded.configurations().collect();
        found.push(Invariant::StoreBuffers(states));
    }
    if let Some(kept) = kept {
        let mut merged = MergedSearch::new(system, goals, kept).plain();
        if merged.run(1_000, stop) == Found::Unreachable {
            found.push(Invariant::MergedStores(kept, merged.maximal()));
        }
    }
    found
}

fn written(model: Model, system: &System, goal: &Goal, invariant: &Invariant) -> String {
    let system = system_text(system, std::slice::from_ref(goal), model);
    text(&[], &["a test".to_owned()], &system, invariant)
}

fn is_accepted(text: &str) -> bool {
    certificate::check(text.as_bytes()).is_ok()
}

/// The text with the hash that it should have.
fn repaired(lines: &[String]) -> String {
    let start = lines.iter().position(|line| line.starts_with("system"));
    let start = start.expect("a system");
    let join = |lines: &[String]| -> String { lines.iter().map(|l| format!("{l}\n")).collect() };
    let body = join(&lines[start..lines.len() - 1]);
    let end = format!("end {}\n", hash(&body));
    join(&lines[..start]) + &body + &end
}

/// Accepts the certificates of a goal that is out of reach, and refuses them mutilated.
pub fn try_all(
    model: Model,
    numbers: &mut Numbers,
    system: &System,
    goal: &Goal,
    invariants: &[Invariant],
    tried: &mut Tried,
) {
    for invariant in invariants {
        let text = written(model, system, goal, invariant);
        let checked = certificate::check(text.as_bytes());
        checked.unwrap_or_else(|error| panic!("{error}:\n{text}"));
        tried.accepted += 1;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let in_invariant =
            |line: &&String| line.starts_with(['s', 'm', 'v', 'e']) && line[1..].starts_with(' ');
        let of_sets = lines.iter().filter(|line| line.starts_with("v ")).count();
        let first = lines
            .iter()
            .position(|line| in_invariant(&line))
            .expect("an invariant");
        let rest = lines.len() - 1 - first;
        for _ in 0..4 {
            // With the right hash: a part of the invariant is missing. Of sets beside elements not all are needed.
            let at = first + numbers.below(rest);
            let needed = of_sets == 0 || of_sets == rest || lines[at].starts_with("e ");
            let mut fewer = lines.clone();
            let removed = fewer.remove(at);
            let kept_elements = fewer.iter().any(|line| line.starts_with("e "));
            if needed || !kept_elements {
                assert!(
                    !is_accepted(&repaired(&fewer)),
                    "without {removed}:\n{text}"
                );
                tried.mutilated += 1;
            }
            // With the old one: anything else.
            let at = numbers.below(lines.len() - 2) + 1;
            let mut changed = lines.clone();
            match numbers.below(4) {
                0 => drop(changed.remove(at)),
                1 => changed.truncate(at),
                2 => changed.insert(at, lines[numbers.below(lines.len())].clone()),
                _ => {
                    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
                    let word = numbers.below(words.len());
                    words[word] = match words[word].parse::<u64>() {
                        Ok(number) => (number ^ 1 << numbers.below(3)).to_string(),
                        Err(_) => "7".to_owned(),
                    };
                    changed[at] = words.join(" ");
                }
            }
            let changed: String = changed.iter().map(|line| format!("{line}\n")).collect();
            // Words about the proof are nobody's business.
            let said = |text: &str| text.split_once("system").map(|(_, rest)| rest.to_owned());
            if said(&changed) != said(&text) {
                assert!(!is_accepted(&changed), "{changed}\ninstead of\n{text}");
                tried.mutilated += 1;
            }
        }
    }
}

/// Refuses what was made for other goals for one that can be reached.
pub fn refuse_all(
    model: Model,
    system: &System,
    goal: &Goal,
    others: &[Invariant],
    tried: &mut Tried,
) {
    for invariant in others {
        let text = written(model, system, goal, invariant);
        assert!(!is_accepted(&text), "{text}");
        tried.of_other_goals += 1;
    }
}
