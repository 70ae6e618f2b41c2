//! Generated programs: what is proved and refuted is what the axioms, read literally, say of outcomes.

use answer::{Outcome, Verdict};
use control::Control;
use memory::Model;
use oracle::OracleModel;
use oracle::generate::{build, sequence};
use program::{Condition, Program, Property, Quantifier, Span, Word};
use prove::automaton::System;
use prove::dual::{Backward, DualSearch};
use prove::forward::Reachable;
use prove::question::Question;
use prove::{Options, prove};
use std::collections::BTreeSet;

/// `FENCEPOST_PROGRAMS=N` tries N.
fn count() -> usize {
    let asked = std::env::var("FENCEPOST_PROGRAMS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// The program with the condition that no final state has this outcome.
fn without(program: &Program, outcome: &[Word]) -> Program {
    let mut program = program.clone();
    let formula = Outcome(outcome.to_vec()).formula(&program.observed);
    program.properties.condition = Some(Condition {
        quantifier: Quantifier::NotExists,
        property: Property {
            formula,
            span: Span::NOWHERE,
        },
    });
    program
}

/// Outcomes of the program, and some that differ in one value.
fn candidates(outcomes: &BTreeSet<Vec<Word>>) -> BTreeSet<Vec<Word>> {
    let mut all: BTreeSet<Vec<Word>> = outcomes.iter().take(6).cloned().collect();
    for outcome in outcomes.iter().take(1) {
        for index in 0..outcome.len() {
            for value in 0..2 {
                let mut other = outcome.clone();
                other[index] = value;
                all.insert(other);
            }
        }
    }
    all
}

#[test]
fn outcomes_are_those_of_the_axioms() {
    let models = [
        (Model::Sc, OracleModel::Sc),
        (Model::Tso, OracleModel::Tso),
        (Model::Pso, OracleModel::Pso),
    ];
    let (mut refuted, mut proved) = (0, 0);
    for (number, generated) in sequence(16).take(count()).enumerate() {
        let program = build(&generated);
        for (model, oracle_model) in models {
            let outcomes = oracle::outcomes(&program, oracle_model);
            for outcome in candidates(&outcomes) {
                let possible = outcomes.contains(&outcome);
                let asked = without(&program, &outcome);
                let at = || format!("program {number} under {model}, {outcome:?}: {generated:#?}");
                let result = prove(&asked, model, &Options::default())
                    .unwrap_or_else(|refusal| panic!("{refusal}: {}", at()));
                let expected = match possible {
                    true => Verdict::Violated,
                    false => Verdict::Holds,
                };
                assert_eq!(result.verdict, expected, "{}", at());
                assert!(result.bounds.is_empty(), "{}", at());
                refuted += usize::from(possible);
                proved += usize::from(!possible);
                if model == Model::Tso {
                    assert_eq!(backward(&asked), possible, "{}", at());
                }
            }
        }
    }
    eprintln!("{refuted} outcomes that are possible, {proved} that are not");
    assert!(refuted > 0 && proved > 0);
}

/// Whether the backward search reaches the outcome, with and without the help of the over-approximation.
fn backward(program: &Program) -> bool {
    let system = System::of(program, Model::Tso).expect("finite automata");
    let question = Question::condition(program, &system)
        .expect("few final states")
        .expect("a condition");
    let stop = Control::default().stop();
    let reachable = Reachable::of(&system, &question.goals, 1_000_000, &stop);
    let found = [None, reachable.as_ref()].map(|reachable| {
        let search = DualSearch::new(&system, &question.goals, reachable);
        match search.expect("few sequences").run(1_000_000, &stop) {
            Backward::Unreachable => false,
            Backward::Reachable(_) => true,
            Backward::Unknown => panic!("not decided"),
        }
    });
    assert_eq!(found[0], found[1]);
    found[0]
}
