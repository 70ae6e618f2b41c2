//! On generated programs the cost is that of the cheapest of all sets of fences, which the axioms judge.

use answer::{Outcome as FinalState, Verdict};
use check::Check;
use memory::Model;
use oracle::OracleModel;
use program::{Condition, Formula, Orderings, Program, Property, Quantifier, Span};
use repair::{Costs, Dialect, Effort, Goal, Marked, Outcome, PlaceId, Placement, Question};
use std::collections::BTreeSet;

/// Places beyond which trying all sets takes too long, times kinds.
const MOST_FENCES: usize = 10;

/// A generated program whose final states must be those of SC, with an instruction in each line.
fn program(generated: &oracle::generate::GeneratedProgram) -> Program {
    let mut program = oracle::generate::build(generated);
    let mut line = 0;
    for function in &mut program.functions {
        for block in &mut function.blocks {
            for instruction in &mut block.instructions {
                line += 1;
                instruction.span = Span::new(line, 1, 1);
            }
        }
    }
    let allowed = oracle::outcomes(&program, OracleModel::Sc).into_iter();
    let allowed = allowed.map(|values| FinalState(values).formula(&program.observed));
    program.properties.condition = Some(Condition {
        quantifier: Quantifier::Forall,
        property: Property {
            formula: Formula::Or(allowed.collect()),
            span: Span::NOWHERE,
        },
    });
    program
}

/// The cost of the cheapest set of fences with which the axioms allow nothing that they do not allow under SC.
fn cheapest(
    marked: &Marked,
    model: OracleModel,
    fences: &[(PlaceId, usize, u64)],
    kinds: &[repair::Kind],
) -> Option<u64> {
    let sc = oracle::outcomes(&marked.with(&Placement::default()), OracleModel::Sc);
    let mut sets: Vec<(u64, u32)> = (0..1_u32 << fences.len())
        .map(|set| {
            let members = fences.iter().enumerate();
            let members = members.filter(|(index, _)| set >> index & 1 != 0);
            (members.map(|(_, fence)| fence.2).sum(), set)
        })
        .collect();
    sets.sort_unstable();
    let mut failed: BTreeSet<Placement> = BTreeSet::new();
    let right = |set: u32, failed: &mut BTreeSet<Placement>| {
        let members = fences.iter().enumerate();
        let members = members.filter(|(index, _)| set >> index & 1 != 0);
        let placement: Placement = members
            .map(|(_, (place, kind, _))| (*place, kinds[*kind].orderings))
            .collect();
        if failed.contains(&placement) {
            return false;
        }
        let right = oracle::outcomes(&marked.with(&placement), model).is_subset(&sc);
        failed.insert(placement);
        right
    };
    let found = sets.into_iter().find(|(_, set)| right(*set, &mut failed));
    found.map(|(cost, _)| cost)
}

fn compare(model: Model, judge: OracleModel, wanted: usize) {
    let costs = Costs::default();
    let mut kinds = Dialect::X86.kinds(model, &costs);
    // Few kinds, so that all sets can be tried.
    if kinds.len() > 2 {
        kinds.retain(|kind| kind.orderings == Orderings::ALL);
    }
    let goal = Goal::Correct(Check::default());
    let (mut repaired, mut with_several) = (0, 0);
    for generated in oracle::generate::sequence(17) {
        let program = program(&generated);
        let marked = repair::mark(&program);
        let fences: Vec<(PlaceId, usize, u64)> = (0..marked.places.len())
            .flat_map(|place| (0..kinds.len()).map(move |kind| (PlaceId(place), kind)))
            .map(|(place, kind)| (place, kind, costs.of(&kinds[kind], &marked.places[place.0])))
            .collect();
        if fences.len() > MOST_FENCES
            || oracle::outcomes(&program, judge)
                .is_subset(&oracle::outcomes(&program, OracleModel::Sc))
        {
            continue;
        }
        let question = Question {
            program: &program,
            marked: &marked,
            goal: &goal,
            model,
            candidates: &repair::fences(&marked, &kinds, &costs),
            reduces: false,
            effort: Effort::Minimum,
        };
        let repair = question.answer().expect("an answer");
        let least = cheapest(&marked, judge, &fences, &kinds);
        match repair.outcome {
            Outcome::Repaired => {
                assert_eq!(Some(repair.cost), least, "{generated:?} under {model}");
                assert!(repair.minimum && repair.result.verdict == Verdict::Holds);
                assert_eq!(repair.forced.len(), repair.changes.len());
                with_several += usize::from(repair.changes.len() > 1);
            }
            Outcome::NoFenceHelps(_) => assert_eq!(least, None, "{generated:?} under {model}"),
            other => panic!("{other:?} for {generated:?}"),
        }
        repaired += 1;
        if repaired == wanted {
            break;
        }
    }
    assert!(
        with_several > wanted / 10,
        "only {with_several} need several"
    );
}

fn number() -> usize {
    let set = std::env::var("FENCEPOST_REPAIRS").ok();
    set.and_then(|number| number.parse().ok()).unwrap_or(40)
}

#[test]
fn tso() {
    compare(Model::Tso, OracleModel::Tso, number());
}

#[test]
fn pso() {
    compare(Model::Pso, OracleModel::Pso, number());
}

#[test]
fn rmo() {
    compare(Model::Rmo, OracleModel::Rmo, number());
}

#[test]
fn relaxed() {
    compare(Model::Relaxed, OracleModel::Relaxed, number());
}
