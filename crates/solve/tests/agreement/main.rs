//! Outcomes by SAT are those of the other roads: the literal axioms and `states` on litmus tests
//! and generated programs, `states` on generated C programs.
//!
//! A few hundred programs by default. `FENCEPOST_PROGRAMS=50000 cargo test --release
//! -p fencepost-solve --test agreement` is the nightly size.

mod corpus;
mod hostile;
mod sketches;

// The generator of C programs that the exploration is tested with.
#[path = "../../../explore/tests/agreement/sketch.rs"]
mod sketch;
#[path = "../../../explore/tests/agreement/text.rs"]
mod text;

use memory::Model;
use oracle::OracleModel;
use oracle::generate::{GeneratedProgram, build, sequence};
use program::{Program, Word};
use solve::sat::{Answer, OrderBy};
use solve::{BoundStatus, Options, Search};
use std::collections::BTreeSet;

fn count() -> usize {
    let asked = std::env::var("FENCEPOST_PROGRAMS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(300)
}

fn by_sat(program: &Program, model: Model, order: OrderBy) -> BTreeSet<Vec<Word>> {
    let options = Options {
        order,
        ..Options::default()
    };
    let mut search = Search::new(program, model, options).expect("the program can be encoded");
    assert_eq!(search.find_bounds(), Ok(BoundStatus::Sufficient));
    let mut found = BTreeSet::new();
    while search.ask_fresh() == Answer::Satisfiable {
        let outcome = search.outcome();
        assert!(found.insert(outcome.0.clone()), "the same outcome twice");
        search.exclude(outcome);
    }
    found
}

fn disagreement(generated: &GeneratedProgram) -> Option<String> {
    let program = &build(generated);
    for (model, oracle) in [
        (Model::Sc, OracleModel::Sc),
        (Model::Tso, OracleModel::Tso),
        (Model::Pso, OracleModel::Pso),
        (Model::Rmo, OracleModel::Rmo),
        (Model::Relaxed, OracleModel::Relaxed),
    ] {
        let expected = oracle::outcomes(program, oracle);
        for order in [OrderBy::Theory, OrderBy::Clauses] {
            let found = by_sat(program, model, order);
            if found != expected {
                let missing: Vec<_> = expected.difference(&found).collect();
                let extra: Vec<_> = found.difference(&expected).collect();
                return Some(format!(
                    "{model}, {order:?}: missing {missing:?}, extra {extra:?}"
                ));
            }
        }
    }
    None
}

#[test]
fn generated_programs_have_the_outcomes_of_the_axioms() {
    for (number, generated) in sequence(1).take(count()).enumerate() {
        if let Some(text) = disagreement(&generated) {
            panic!("program {number}: {text}\n{generated:#?}");
        }
    }
}
