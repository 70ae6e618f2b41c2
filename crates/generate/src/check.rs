//! Judging a test: whoever has an answer must have the same.

use crate::shapes::{Relation, shapes};
use crate::test::Test;
use memory::Model;
use oracle::OracleModel;
use program::{InstructionKind, ModelResult, Program, Source, Verdict, Violation};
use states::{MachineKind, Options};
use std::collections::BTreeSet;
use std::fmt;
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

/// States that a plain search may have.
const MOST_STATES: u64 = 30_000;
/// Accesses of a test that the axioms are asked about.
const MOST_ACCESSES: usize = 5;

/// Two answers that cannot both be right.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// What was compared, and how the answers differ.
    pub what: String,
    /// The test.
    pub text: String,
    /// A command that shows one of the answers, given the test as `test.litmus`.
    pub command: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}\n", self.what, self.text, self.command)
    }
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    verdict: Verdict,
    outcomes: BTreeSet<Vec<u64>>,
    kind: Option<Discriminant<Violation>>,
    /// Not everything was looked at.
    cut: bool,
    /// Not even everything within the bounds of the machine.
    stopped: bool,
}

impl Answer {
    fn of(result: &ModelResult, order: &[usize]) -> Self {
        let outcome = |outcome: &program::Outcome| {
            let values = order.iter().map(|&index| outcome.0[index]);
            values.collect::<Vec<u64>>()
        };
        let exhausted = |bound: &program::Bound| bound.is_exhausted();
        Answer {
            verdict: result.verdict,
            outcomes: result.outcomes.iter().map(outcome).collect(),
            kind: result.violation.as_ref().map(discriminant),
            cut: !result.bounds.is_empty(),
            stopped: !result.bounds.iter().all(exhausted),
        }
    }

    /// The same, as far as both say something.
    fn agrees(&self, other: &Answer) -> bool {
        self.stopped
            || other.stopped
            || (self.outcomes == other.outcomes
                && (self.cut != other.cut || self.verdict == other.verdict)
                && self.is_violated() == other.is_violated()
                && (self.cut || other.cut || self.kind == other.kind))
    }

    fn is_violated(&self) -> bool {
        self.verdict == Verdict::Violated
    }
}

/// A test with what is compared of it.
struct Case<'a> {
    text: &'a str,
    program: Program,
    /// Which observed value comes first, second, and so on.
    order: Vec<usize>,
}

impl<'a> Case<'a> {
    fn new(text: &'a str) -> Result<Self, Disagreement> {
        let program = frontend::read(&Source::new("test.litmus", text.to_owned()));
        let program = program.map_err(|complaint| Disagreement {
            what: format!("not read: {complaint}"),
            text: text.to_owned(),
            command: "fencepost check test.litmus".to_owned(),
        })?;
        let order = (0..program.observed.len()).collect();
        Ok(Case {
            text,
            program,
            order,
        })
    }

    fn disagreement(&self, what: String, command: &str) -> Disagreement {
        Disagreement {
            what,
            text: self.text.to_owned(),
            command: format!("fencepost check {command} test.litmus"),
        }
    }

    fn search(&self, model: Model, machine: MachineKind, size: Option<u32>, plain: bool) -> Answer {
        let options = Options {
            machine,
            buffer: size,
            reorder_box: size,
            plain,
            stop_at_violation: false,
            explain: false,
            max_states: Some(if plain {
                MOST_STATES
            } else {
                100 * MOST_STATES
            }),
            ..Options::default()
        };
        let result = states::run(&self.program, model, &options).expect("litmus tests run");
        Answer::of(&result, &self.order)
    }

    /// The search with all reductions and the plain one, on both machines, at some sizes.
    fn searches(&self, loops: bool) -> Result<Vec<Answer>, Disagreement> {
        let mut answers: Vec<Answer> = Vec::new();
        for model in Model::MACHINES {
            let whole = loops.then_some(4);
            let auto = self.search(model, MachineKind::Auto, whole, false);
            for (machine, sizes) in [
                (MachineKind::Auto, vec![whole, Some(1)]),
                (MachineKind::ReorderBoxes, vec![Some(1), Some(2), whole]),
            ] {
                let mut smaller: Option<Answer> = None;
                for size in sizes {
                    let fast = self.search(model, machine, size, false);
                    let plain = self.search(model, machine, size, true);
                    let flag = match machine {
                        MachineKind::Auto => "",
                        MachineKind::ReorderBoxes => " --machine reorder-box",
                    };
                    let size_flag = match (size, machine) {
                        (None, _) => String::new(),
                        (Some(size), MachineKind::Auto) if model != Model::Rmo => {
                            format!(" --buffer {size}")
                        }
                        (Some(size), _) => format!(" --box {size}"),
                    };
                    let command = format!("--model {model}{flag}{size_flag}");
                    if !fast.agrees(&plain) {
                        let what = format!("normal {fast:?}\nplain {plain:?}");
                        return Err(self.disagreement(what, &command));
                    }
                    let boxes = machine == MachineKind::ReorderBoxes;
                    let lost = smaller.as_ref().is_some_and(|smaller| {
                        let more = smaller.is_violated() && !fast.is_violated();
                        let all_states = !self.program.properties.invariants.is_empty();
                        (more && all_states) || !smaller.outcomes.is_subset(&fast.outcomes)
                    });
                    if boxes && lost && !fast.stopped {
                        let what = "a larger box shows less".to_owned();
                        return Err(self.disagreement(what, &command));
                    }
                    if boxes && size.is_none() && fast.outcomes != auto.outcomes {
                        let what = "the machines have other outcomes".to_owned();
                        return Err(self.disagreement(what, &command));
                    }
                    smaller = boxes.then_some(fast);
                }
            }
            if let Some(stronger) = answers.last()
                && !auto.stopped
                && !loops
                && !stronger.outcomes.is_subset(&auto.outcomes)
            {
                let what = "a weaker model has fewer outcomes".to_owned();
                return Err(self.disagreement(what, &format!("--model {model}")));
            }
            answers.push(auto);
        }
        Ok(answers)
    }

    /// The engine `sat`, where it takes the test.
    fn solve(&self, answers: &[Answer]) -> Result<(), Disagreement> {
        if !self.program.properties.invariants.is_empty()
            || !self.program.properties.liveness.is_empty()
        {
            return Ok(());
        }
        for (model, expected) in Model::MACHINES.into_iter().zip(answers) {
            let options = solve::Options {
                max_time: Some(Duration::from_secs(10)),
                most_turns: 3,
                ..solve::Options::default()
            };
            let Ok(result) = solve::run(&self.program, model, &options, true) else {
                continue;
            };
            let found = Answer::of(&result, &self.order);
            // Deadlocks and accesses to no place are not looked for by both.
            let comparable = !found.cut && !expected.cut && expected.kind.is_none_or(is_final);
            if comparable
                && (found.outcomes != expected.outcomes || found.verdict != expected.verdict)
            {
                let what = format!("sat {found:?}\nstates {expected:?}");
                return Err(self.disagreement(what, &format!("--engine sat --model {model}")));
            }
        }
        Ok(())
    }

    /// The axioms, where the test is small enough.
    fn axioms(&self, answers: &[Answer]) -> Result<(), Disagreement> {
        let blocks = self.program.functions.iter().flat_map(|f| &f.blocks);
        let instructions = blocks.flat_map(|block| &block.instructions);
        let is_access = |kind: &InstructionKind| {
            matches!(
                kind,
                InstructionKind::Load { .. }
                    | InstructionKind::Store { .. }
                    | InstructionKind::Update { .. }
                    | InstructionKind::CompareExchange { .. }
            )
        };
        let accesses = instructions.filter(|i| is_access(&i.kind)).count();
        if accesses > MOST_ACCESSES || self.program.properties.filter.is_some() {
            return Ok(());
        }
        for (model, expected) in OracleModel::ALL.into_iter().zip(answers) {
            let found = oracle::outcomes(&self.program, model);
            let found: BTreeSet<Vec<u64>> = found.into_iter().collect();
            if expected.kind.is_none_or(is_final) && !expected.cut && found != expected.outcomes {
                let what = format!("the axioms of {model:?} have other outcomes: {found:?}");
                let what = format!("{what}\nstates: {:?}", expected.outcomes);
                let model = format!("{model:?}").to_lowercase();
                return Err(self.disagreement(what, &format!("--model {model}")));
            }
        }
        Ok(())
    }
}

/// Violations that speak of final states.
fn is_final(kind: Discriminant<Violation>) -> bool {
    let outcome = program::Outcome(Vec::new());
    kind == discriminant(&Violation::NoWitness)
        || kind == discriminant(&Violation::FinalState(outcome))
}

/// Judges a test by its text.
pub fn check_text(text: &str, loops: bool) -> Result<(), Disagreement> {
    judge(text, loops).map(|_| ())
}

fn judge(text: &str, loops: bool) -> Result<Vec<Answer>, Disagreement> {
    let case = Case::new(text)?;
    let answers = case.searches(loops)?;
    case.solve(&answers)?;
    if !loops {
        case.axioms(&answers)?;
    }
    Ok(answers)
}

/// The place of every value of `test` among those that the program of `shape` observes.
fn correspondence(test: &Test, of: &Program, shape: &Test, to: &Program) -> Vec<usize> {
    let position = |name: &str| to.observed.iter().position(|o| o.name == name);
    let renamed = |name: &str| -> String {
        let Some((thread, register)) = name.split_once(':') else {
            return name.to_owned();
        };
        let number: usize = thread.parse().unwrap_or(0);
        let index = test.order.iter().position(|known| *known == number);
        let thread = shape.order[index.unwrap_or(0)];
        let letters = test.registers.iter().zip(shape.registers);
        let upper = register.chars().any(|c| c.is_ascii_uppercase());
        let cased = |byte: u8| match upper {
            true => char::from(byte.to_ascii_uppercase()),
            false => char::from(byte),
        };
        let mut letters = letters.map(|(&from, to)| (cased(from), cased(to)));
        let middle = register.chars().nth(1).unwrap_or_default();
        let new = letters
            .find(|(from, _)| *from == middle)
            .map_or(middle, |(_, to)| to);
        let rest: String = register.chars().skip(2).collect();
        let head: String = register.chars().take(1).collect();
        format!("{thread}:{head}{new}{rest}")
    };
    let names = of.observed.iter().map(|o| renamed(&o.name));
    names.map(|name| position(&name).unwrap_or(0)).collect()
}

/// Generates the test of `seed` and judges it, with other shapes of it.
pub fn check_one(seed: u64) -> Result<(), Disagreement> {
    let test = crate::litmus(seed);
    let text = test.text();
    let answers = judge(&text, test.loops)?;
    let case = Case::new(&text)?;
    for (name, relation, shape) in shapes(&test, seed) {
        let shaped = shape.text();
        let mut other = Case::new(&shaped)?;
        other.order = correspondence(&test, &case.program, &shape, &other.program);
        for (model, expected) in Model::MACHINES.into_iter().zip(&answers) {
            let size = test.loops.then_some(4);
            let found = other.search(model, MachineKind::Auto, size, false);
            let wrong = match relation {
                // Bounds on loops cut other shapes elsewhere.
                _ if found.cut || expected.cut => false,
                Relation::Same => !found.agrees(expected),
                Relation::NoMore => !found.outcomes.is_subset(&expected.outcomes),
            };
            if wrong {
                let what = format!("{name}: {found:?}\nbefore: {expected:?}\n{text}");
                return Err(other.disagreement(what, &format!("--model {model}")));
            }
        }
    }
    Ok(())
}
