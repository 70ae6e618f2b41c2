//! Judging a test: whoever has an answer must have the same.
//!
//! 1. The search with all its reductions and the plain one, on both machines, with buffers and
//!    boxes of several sizes. A larger box shows no less, and a weaker model has no fewer outcomes.
//! 2. The engine `sat`, under Relaxed as well.
//! 3. The axioms, where the test is small and has no loop.
//! 4. [Other shapes](crate::shapes()) of the test.
//!
//! A search that a bound cut has no more outcomes than one without bound; nothing else is asked of it.

use crate::random::Random;
use crate::shapes::{Relation, Shape, shapes};
use crate::test::Test;
use answer::{ModelResult, Verdict, Violation};
use control::Control;
use memory::Model;
use oracle::OracleModel;
use program::{InstructionKind, Program, Source};
use states::{MachineKind, Options};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::mem::{Discriminant, discriminant};
use std::time::Duration;

/// States that a plain search may have.
const MOST_STATES: u64 = 8_000;
/// Time that a search may take, or `sat` for a model.
const MOST_TIME: Duration = Duration::from_millis(800);
/// Accesses of a test that the axioms are asked about.
const MOST_ACCESSES: usize = 5;

/// Two answers that cannot both be right.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// What was compared: stays the same while the test is made smaller.
    pub kind: String,
    /// How the answers differ.
    pub what: String,
    /// The test.
    pub text: String,
    /// Options of `fencepost check` that show one of the answers.
    pub options: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement {
            kind,
            what,
            text,
            options,
        } = self;
        write!(
            f,
            "{kind}: {what}\n{text}\nfencepost check {options} test.litmus\n"
        )
    }
}

/// What came of judging a test that all agree on.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Shapes that were looked at.
    pub shapes: u64,
    /// Pairs of answers that were compared.
    pub comparisons: u64,
    /// The outcomes under TSO, in the order of [`Test::observed_names`], if all are known and
    /// every execution ends.
    pub tso: Option<BTreeSet<Vec<u64>>>,
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
    states: u64,
}

impl Answer {
    fn of(result: &ModelResult, order: &[usize]) -> Self {
        let outcome = |outcome: &answer::Outcome| {
            let values = order.iter().map(|&index| outcome.0[index]);
            values.collect::<Vec<u64>>()
        };
        let exhausted = |bound: &answer::Bound| bound.is_exhausted();
        Answer {
            verdict: result.verdict,
            outcomes: result.outcomes.iter().map(outcome).collect(),
            kind: result.violation.as_ref().map(discriminant),
            cut: !result.bounds.is_empty(),
            stopped: !result.bounds.iter().all(exhausted),
            states: result.counts.states,
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

    /// Nothing is wrong but with final states: deadlocks and accesses to nothing are not
    /// looked for by all.
    fn is_final(&self) -> bool {
        self.kind.is_none_or(is_final)
    }
}

/// A test with what is compared of it.
struct Case<'a> {
    text: &'a str,
    program: Program,
    /// Which observed value comes first, second, and so on.
    order: Vec<usize>,
    /// Pairs of answers that were compared.
    compared: Cell<u64>,
}

impl<'a> Case<'a> {
    fn new(text: &'a str) -> Result<Self, Disagreement> {
        let program = frontend::read(&Source::new("test.litmus", text.to_owned()));
        let program = program.map_err(|complaint| Disagreement {
            kind: format!("unread, {}", without_names(&complaint.message)),
            what: complaint.to_string(),
            text: text.to_owned(),
            options: String::new(),
        })?;
        let order = (0..program.observed.len()).collect();
        Ok(Case {
            text,
            program,
            order,
            compared: Cell::new(0),
        })
    }

    /// The same, with observed values in the order of these names.
    fn ordered(text: &'a str, names: &[String]) -> Result<Self, Disagreement> {
        let mut case = Case::new(text)?;
        let observed = &case.program.observed;
        let position = |name: &String| observed.iter().position(|o| o.name == *name);
        let order: Option<Vec<usize>> = names.iter().map(position).collect();
        case.order = order
            .ok_or_else(|| case.disagreement("unread", "a value is not observed".to_owned(), ""))?;
        Ok(case)
    }

    fn disagreement(&self, kind: &str, what: String, options: &str) -> Disagreement {
        Disagreement {
            kind: kind.to_owned(),
            what,
            text: self.text.to_owned(),
            options: options.to_owned(),
        }
    }

    fn search(&self, model: Model, machine: MachineKind, size: Option<u32>, plain: bool) -> Answer {
        let control = Control::default().with_time(Some(MOST_TIME));
        let options = Options {
            machine,
            buffer: size,
            reorder_box: size,
            plain,
            stop_at_violation: false,
            explain: false,
            control: control.with_states(Some(if plain { MOST_STATES } else { 10 * MOST_STATES })),
            ..Options::default()
        };
        let result = states::run(&self.program, model, &options).expect("litmus tests run");
        Answer::of(&result, &self.order)
    }

    /// The search with all reductions and the plain one, on both machines, at some sizes.
    fn searches(&self, spins: bool) -> Result<Vec<Answer>, Disagreement> {
        let mut answers: Vec<Answer> = Vec::new();
        let whole = spins.then_some(4);
        for model in Model::MACHINES {
            let auto = self.search(model, MachineKind::Auto, whole, false);
            if model != Model::Rmo {
                for size in [whole, Some(1)] {
                    self.reduced_and_plain(model, MachineKind::Auto, size, true)?;
                }
            }
            let mut smaller: Option<Answer> = None;
            let mut with_plain = true;
            for size in [Some(1), Some(2), whole] {
                let boxes = MachineKind::ReorderBoxes;
                let (fast, compared) = self.reduced_and_plain(model, boxes, size, with_plain)?;
                with_plain = compared;
                let lost = smaller.as_ref().is_some_and(|smaller| {
                    let more = smaller.is_violated() && !fast.is_violated();
                    let all_states = !self.program.properties.invariants.is_empty();
                    (more && all_states) || !smaller.outcomes.is_subset(&fast.outcomes)
                });
                let command = options(model, boxes, size);
                if lost && !fast.stopped {
                    let what = format!("a larger box shows less: {fast:?}\n{smaller:?}");
                    return Err(self.disagreement("box", what, &command));
                }
                let known = size.is_none() && !fast.stopped && !auto.stopped;
                if known && fast.outcomes != auto.outcomes && fast.cut == auto.cut {
                    let what = format!("the machines differ: {fast:?}\n{auto:?}");
                    return Err(self.disagreement("machines", what, &command));
                }
                smaller = Some(fast);
            }
            if let Some(stronger) = answers.last()
                && !auto.cut
                && !stronger.outcomes.is_subset(&auto.outcomes)
            {
                let what = format!("a weaker model has fewer outcomes: {stronger:?}\n{auto:?}");
                return Err(self.disagreement("weaker", what, &format!("--model {model}")));
            }
            answers.push(auto);
        }
        Ok(answers)
    }

    /// Compares the search with all reductions with the plain one, unless that one would have
    /// too many states; whether it had not.
    fn reduced_and_plain(
        &self,
        model: Model,
        machine: MachineKind,
        size: Option<u32>,
        with_plain: bool,
    ) -> Result<(Answer, bool), Disagreement> {
        let fast = self.search(model, machine, size, false);
        if !with_plain || fast.states > MOST_STATES / 4 {
            return Ok((fast, false));
        }
        let plain = self.search(model, machine, size, true);
        self.count();
        if !fast.agrees(&plain) {
            let what = format!("normal {fast:?}\nplain {plain:?}");
            return Err(self.disagreement("plain", what, &options(model, machine, size)));
        }
        Ok((fast, !plain.stopped))
    }

    fn count(&self) {
        self.compared.set(self.compared.get() + 1);
    }

    /// The engine `sat`, where it takes the test; its outcomes under Relaxed.
    fn solve(&self, answers: &[Answer]) -> Result<Option<Answer>, Disagreement> {
        if !self.program.properties.invariants.is_empty()
            || !self.program.properties.liveness.is_empty()
        {
            return Ok(None);
        }
        let ask = |model| {
            let options = solve::Options {
                control: Control::default().with_time(Some(MOST_TIME)),
                most_iterations: 3,
                ..solve::Options::default()
            };
            let result = solve::run(&self.program, model, &options, true).ok()?;
            Some(Answer::of(&result, &self.order))
        };
        for (model, expected) in Model::MACHINES.into_iter().zip(answers) {
            let Some(found) = ask(model) else {
                continue;
            };
            self.count();
            if found.cut || expected.stopped || !expected.is_final() {
                continue;
            }
            let wrong = match expected.cut {
                true => !expected.outcomes.is_subset(&found.outcomes),
                false => found.outcomes != expected.outcomes || found.verdict != expected.verdict,
            };
            if wrong {
                let what = format!("sat {found:?}\nstates {expected:?}");
                let options = format!("--engine sat --model {model}");
                return Err(self.disagreement("sat", what, &options));
            }
        }
        let relaxed = ask(Model::Relaxed).filter(|answer| !answer.cut);
        if let (Some(relaxed), Some(rmo)) = (&relaxed, answers.last()) {
            self.count();
            let fewer = !rmo.outcomes.is_subset(&relaxed.outcomes);
            if fewer && !rmo.stopped && rmo.is_final() && relaxed.is_final() {
                let what = format!("relaxed {relaxed:?}\nrmo {rmo:?}");
                return Err(self.disagreement("relaxed", what, "--model relaxed"));
            }
        }
        Ok(relaxed)
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
        let loops = self.program.functions.iter().any(|f| f.has_loop());
        if accesses > MOST_ACCESSES || self.program.properties.filter.is_some() || loops {
            return Ok(());
        }
        for (model, expected) in OracleModel::ALL.into_iter().zip(answers) {
            if !expected.is_final() || expected.cut {
                continue;
            }
            self.count();
            let found = oracle::outcomes(&self.program, model).into_iter();
            let ordered = found.map(|values| self.order.iter().map(|&at| values[at]).collect());
            let found: BTreeSet<Vec<u64>> = ordered.collect();
            if found != expected.outcomes {
                let what = format!("{model:?}: {found:?}\nothers: {:?}", expected.outcomes);
                let model = format!("{model:?}").to_lowercase();
                let options = format!("--model {model}");
                return Err(self.disagreement("axioms", what, &options));
            }
        }
        Ok(())
    }

    /// All of it; the answers of the machines.
    fn judge(&self, spins: bool) -> Result<Vec<Answer>, Disagreement> {
        let mut answers = self.searches(spins)?;
        let relaxed = self.solve(&answers)?;
        answers.extend(relaxed);
        self.axioms(&answers)?;
        answers.truncate(Model::MACHINES.len());
        Ok(answers)
    }
}

/// Judges a test by its text; `spins` if its loops may be endless.
pub fn check_text(text: &str, spins: bool) -> Result<(), Disagreement> {
    Case::new(text)?.judge(spins).map(|_| ())
}

/// Judges a test and up to `most` other shapes of it, which `seed` chooses.
pub fn check(test: &Test, seed: u64, most: usize) -> Result<Judged, Disagreement> {
    let names = test.observed_names();
    let text = test.text();
    let case = Case::ordered(&text, &names)?;
    let answers = case.judge(test.spins)?;
    let mut judged = Judged::default();
    let tso = &answers[1];
    let ends = !test.spins && !tso.stopped && tso.is_final();
    judged.tso = ends.then(|| tso.outcomes.clone());
    for shape in chosen(test, seed, most) {
        judged.shapes += 1;
        judged.comparisons += check_shape(test, &answers, &shape)?;
    }
    judged.comparisons += case.compared.get();
    Ok(judged)
}

/// Up to `most` shapes of a test, which `seed` chooses.
pub fn chosen(test: &Test, seed: u64, most: usize) -> Vec<Shape> {
    let random = &mut Random::new(seed.rotate_left(32));
    let mut all = shapes(test, seed);
    while all.len() > most {
        all.swap_remove(random.below(all.len()));
    }
    all
}

fn check_shape(test: &Test, answers: &[Answer], shape: &Shape) -> Result<u64, Disagreement> {
    let text = shape.test.text();
    let other = Case::ordered(&text, &shape.test.observed_names())?;
    for (model, expected) in Model::MACHINES.into_iter().zip(answers) {
        let size = test.spins.then_some(4);
        let found = other.search(model, MachineKind::Auto, size, false);
        let wrong = match (found.cut, expected.cut) {
            _ if found.stopped || expected.stopped => false,
            (true, true) if shape.relation == Relation::Identical => !found.agrees(expected),
            // Bounds on loops cut other shapes elsewhere.
            (true, true) => false,
            (true, false) => !found.outcomes.is_subset(&expected.outcomes),
            (false, true) if shape.relation == Relation::Same => {
                !expected.outcomes.is_subset(&found.outcomes)
            }
            (false, true) => false,
            (false, false) => match shape.relation {
                Relation::Identical | Relation::Same => !found.agrees(expected),
                Relation::NoMore => !found.outcomes.is_subset(&expected.outcomes),
                Relation::Sequential => found.outcomes != answers[0].outcomes,
            },
        };
        if wrong {
            let what = format!("{found:?}\nbefore: {expected:?}\n{}", test.text());
            let kind = format!("shape, {}", shape.name);
            return Err(other.disagreement(&kind, what, &format!("--model {model}")));
        }
    }
    Ok(answers.len() as u64)
}

/// The options of the command for such a search.
fn options(model: Model, machine: MachineKind, size: Option<u32>) -> String {
    let flag = match machine {
        MachineKind::Auto => "",
        MachineKind::ReorderBoxes => " --machine reorder-box",
    };
    let size = match (size, machine) {
        (None, _) => String::new(),
        (Some(size), MachineKind::Auto) if model != Model::Rmo => format!(" --buffer {size}"),
        (Some(size), _) => format!(" --box {size}"),
    };
    format!("--model {model}{flag}{size}")
}

/// A message with nothing between its backquotes.
fn without_names(message: &str) -> String {
    let outside: Vec<&str> = message.split('`').step_by(2).collect();
    outside.join("``")
}

/// Violations that speak of final states.
fn is_final(kind: Discriminant<Violation>) -> bool {
    let outcome = answer::Outcome(Vec::new());
    kind == discriminant(&Violation::NoWitness)
        || kind == discriminant(&Violation::FinalState(outcome))
}
