//! On generated programs the cost is that of the cheapest of all sets of fences, which the axioms judge.

use answer::{Outcome as FinalState, Verdict};
use check::Check;
use memory::Model;
use oracle::OracleModel;
use oracle::generate::Limits;
use program::{Condition, Formula, Orderings, Program, Property, Quantifier, Span, Word};
use repair::{Costs, Dialect, Effort, Goal, Marked, Outcome, PlaceId, Placement, Question};
use std::collections::BTreeSet;

/// Places beyond which trying all sets takes too long, times kinds.
const MOST_FENCES: usize = 10;

/// Accesses of a program, so that the axioms are quick.
const MOST_ACCESSES: usize = 6;

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

/// A fence: its place, its kind and its cost.
type Fence = (PlaceId, Orderings, u64);

/// What the axioms say of sets of fences, each a number with a bit for each fence. As more fences allow no more, every subset of a set that is
/// wrong is wrong, too; nothing else is taken on trust.
struct Judge<'a> {
    marked: &'a Marked,
    model: OracleModel,
    fences: &'a [Fence],
    allowed: BTreeSet<Vec<Word>>,
    /// Sets that are wrong, with as many fences as can be.
    wrong: Vec<u32>,
}

impl Judge<'_> {
    fn placement(&self, set: u32) -> Placement {
        let members = self.fences.iter().enumerate();
        let members = members.filter(|(index, _)| set >> index & 1 != 0);
        members
            .map(|(_, (place, kind, _))| (*place, *kind))
            .collect()
    }

    fn cost(&self, set: u32) -> u64 {
        let members = self.fences.iter().enumerate();
        let members = members.filter(|(index, _)| set >> index & 1 != 0);
        members.map(|(_, fence)| fence.2).sum()
    }

    fn is_right_by_axioms(&self, set: u32) -> bool {
        let program = self.marked.with(&self.placement(set));
        oracle::outcomes(&program, self.model).is_subset(&self.allowed)
    }

    fn is_right(&mut self, set: u32) -> bool {
        if self.wrong.iter().any(|wrong| set & wrong == set) {
            return false;
        }
        if self.is_right_by_axioms(set) {
            return true;
        }
        let mut wrong = set;
        for fence in 0..self.fences.len() {
            let more = wrong | 1 << fence;
            if more != wrong && !self.is_right_by_axioms(more) {
                wrong = more;
            }
        }
        self.wrong.push(wrong);
        false
    }

    /// The cost of the cheapest set with which the axioms allow nothing that they do not allow under SC, of all sets that there are.
    fn cheapest(&mut self) -> Option<u64> {
        let mut sets: Vec<u32> = (0..1_u32 << self.fences.len()).collect();
        sets.sort_by_key(|set| self.cost(*set));
        let found = sets.into_iter().find(|set| self.is_right(*set));
        found.map(|set| self.cost(set))
    }
}

fn compare(model: Model, by: OracleModel, wanted: usize) {
    let costs = Costs::default();
    let mut kinds = Dialect::X86.kinds(model, &costs);
    // Few kinds, so that all sets can be tried.
    if kinds.len() > 2 {
        kinds.retain(|kind| kind.orderings == Orderings::ALL);
    }
    let goal = Goal::Correct(Check::default());
    let (mut repaired, mut with_several) = (0, 0);
    let limits = Limits {
        threads: 2..=3,
        statements: 4,
        accesses: MOST_ACCESSES,
    };
    for generated in oracle::generate::sequence_within(seed(), limits) {
        let program = program(&generated);
        let marked = repair::mark(&program);
        let fences: Vec<Fence> = (0..marked.places.len())
            .flat_map(|place| kinds.iter().map(move |kind| (PlaceId(place), kind)))
            .map(|(place, kind)| {
                (
                    place,
                    kind.orderings,
                    costs.of(kind, &marked.places[place.0]),
                )
            })
            .collect();
        let mut judge = Judge {
            marked: &marked,
            model: by,
            fences: &fences,
            allowed: oracle::outcomes(&program, OracleModel::Sc),
            wrong: Vec::new(),
        };
        if fences.len() > MOST_FENCES || judge.is_right_by_axioms(0) {
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
        let least = judge.cheapest();
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

fn seed() -> u64 {
    let set = std::env::var("FENCEPOST_SEED").ok();
    set.and_then(|seed| seed.parse().ok()).unwrap_or(17)
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
