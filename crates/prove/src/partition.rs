//! Trace partitioning: programs whose data are not finite.
//!
//! Where [`automaton`](crate::automaton) finds a location or a counter with more and more values, a proof must speak of values without listing
//! them. Here traces are symbolic: a trace is what threads do in one interleaving, with store buffers of at most *k* stores, as guards and updates
//! over the words of memory, registers and buffers (section 5 of the ProofTraPar paper, which has renamed locals for what waits in buffers). Traces
//! that lead to something wrong are taken one by one. One that can be run is a counterexample. One that cannot is proved infeasible by
//! predicates, each the weakest precondition of the next, and the predicates are kept. They cover not only that trace but every one for
//! which they are a proof, after Farzan, Kincaid and Podelski (POPL 2013), Narayan, Guha and Arun-Kumar (*From Traces to Proofs*), and Heizmann, Hoenicke
//! and Podelski (SAS 2009). When all traces are covered, the program is safe:
//!
//! ```text
//! threads ──edges──▶ automata ──steps──▶ interleavings ──search──▶ covered? ──no──▶ trace ──refine──▶ execution, or predicates
//!                                                           └─yes─▶ safe for buffers of k
//! ```
//!
//! Why "safe" is right: (1) edges have every step of every thread, with wrong ends for failed assertions and bad accesses, and words are bit vectors with
//! the arithmetic of the machine; (2) the interleavings that are left out differ from one that is explored in the order of independent
//! steps only (`steps`); (3) a predicate is taken to hold after a step only if the solver shows the Hoare triple, and a step is left out
//! only if it shows that the guard contradicts what holds (`predicates`). So the explored sets of predicates are an inductive invariant, in which nothing wrong
//! can happen. How predicates are found (`refine`) matters for ending, not for this. "Violated" is right because the trace is run with values, and
//! then looked for on the machine.
//!
//! The bound grows from *k* = 0, which is SC; predicates and triples of one bound are used for the next. What is safe for *k* is safe for every
//! size if no store found a full buffer, or if the program is robust by a look at its accesses (`delays`). Otherwise the answer is for buffers of
//! at most [`MOST_STORES`], and says so.
//!
//! Deviations from the papers: (1) instead of an alternating automaton for each proof, one automaton has sets of the predicates of all proofs as
//! states: it accepts at least as much, since a Hoare triple may use predicates of several proofs, and inclusion is a search; (2) the criterion of the
//! ProofTraPar paper for all buffer sizes is not used: it is unsound; (3) the traces of one bound are
//! reduced by ample sets; (4) a proof is of a part of the trace, as late as possible.
//!
//! Not guaranteed: that it ends. Predicates may speak of ever larger numbers; then limits end the search, or [`MOST_PREDICATES`] do, and the
//! program is undecided.

mod delays;
mod edges;
mod predicates;
mod refine;
mod search;
mod solver;
mod steps;
mod term;
mod witness;

pub use edges::NoTraces;
pub use solver::COMMAND as SOLVER;

use crate::automaton::NotFinite;
use crate::run::{left_out, not_looked_for};
use crate::{Options, Refusal, fault};
use answer::{Bound, Counts, Engine, Execution, ModelResult, Verdict, Violation, Warning};
use control::Stop;
use edges::automata;
use machine::Executable;
use memory::{Buffering, Model};
use predicates::Predicates;
use program::{Program, Span};
use refine::{Outcome, Trace};
use search::{Covered, Search};
use solver::Solver;
use std::io;
use std::sync::atomic::Ordering;
use steps::{Step, Threads};
use term::{Terms, Valuation, Variable};

/// Stores in a buffer at most, where any number may wait.
pub const MOST_STORES: usize = 3;
/// Predicates at most.
pub const MOST_PREDICATES: usize = 1_000;

/// The machine, as results name it.
const MACHINE: &str = "symbolic traces";

/// Why the search ended without an answer.
#[derive(Debug)]
pub(crate) enum Abandoned {
    /// A limit was reached.
    Limit,
    /// The solver does not decide what must be decided.
    Solver,
    /// A proof would have to speak of all values that can be chosen.
    Choices,
    /// There are too many predicates, or no new ones.
    Predicates,
    /// The solver does not answer.
    Broken(io::Error),
}

impl From<io::Error> for Abandoned {
    fn from(error: io::Error) -> Self {
        Abandoned::Broken(error)
    }
}

impl Abandoned {
    fn warning(&self) -> Option<String> {
        Some(match self {
            Abandoned::Limit => return None,
            Abandoned::Solver => format!("{SOLVER} does not decide whether a trace can be run"),
            Abandoned::Choices => {
                "a proof would have to speak of all values that can be chosen".to_owned()
            }
            Abandoned::Predicates => {
                format!("no proof was found with at most {MOST_PREDICATES} predicates")
            }
            Abandoned::Broken(error) => format!("{SOLVER} does not answer: {error}"),
        })
    }
}

/// What was found.
enum Decided {
    /// Safe, for buffers of any size or of at most this many stores.
    Safe(Option<u32>),
    /// Something is wrong.
    Wrong(Violation, Box<Execution>),
}

/// Proves a program without finite automata safe, or finds what is wrong; refuses it for the reason why it has none if it is not
/// of this kind either.
pub(crate) fn prove(
    program: &Program,
    flat: &Program,
    model: Model,
    options: &Options,
    stop: &Stop,
    not_finite: NotFinite,
) -> Result<ModelResult, Refusal> {
    if flat.properties.condition.is_some() || !options.beyond_finite {
        return Err(not_finite.into());
    }
    if options.certificate.is_some() {
        return Err(Refusal::NotCertified(not_finite));
    }
    // Where counters are not followed from one value to the next there is less to prove.
    let loops = flatten::flatten_keeping_loops(program).ok();
    let loops = loops.map(|flat| Program {
        observed: Vec::new(),
        ..flat
    });
    let flat = loops.as_ref().unwrap_or(flat);
    match by_traces(program, flat, model, options, stop) {
        Ok(mut result) => {
            if result.verdict == Verdict::Undecided {
                result.warnings.push(what_to_do(&not_finite));
            }
            Ok(result)
        }
        Err(NoTraces::Unsupported) => Err(not_finite.into()),
        Err(NoTraces::Solver) => Err(Refusal::NoSolver(not_finite)),
    }
}

/// Why there are symbolic traces of the program, which need not come to an end, and how to do without them.
fn what_to_do(not_finite: &NotFinite) -> Warning {
    let advice = "it is decided for certain if data are finite: keep counters within a bound (`x = (x + 1) % 4`), make them `unsigned \
                  char`, or leave large values out with `fp_assume`";
    Warning {
        span: not_finite.span(),
        message: format!(
            "{not_finite}, so it was followed as symbolic traces, of which no proof was found; {advice}"
        ),
    }
}

/// The same for any program, given one without calls that does the same, under SC or TSO. Only assertions and bad accesses are asked about.
pub fn by_traces(
    program: &Program,
    flat: &Program,
    model: Model,
    options: &Options,
    stop: &Stop,
) -> Result<ModelResult, NoTraces> {
    let buffering = model.row().buffering;
    if !matches!(buffering, Buffering::None | Buffering::PerThread) {
        return Err(NoTraces::Unsupported);
    }
    let executable = Executable::new(flat).map_err(|_| NoTraces::Unsupported)?;
    // Half of what is left: the rest is for this process, which looks at its own limit.
    let taken = control::resident_bytes().unwrap_or(0);
    let left = options
        .control
        .max_bytes
        .map(|most| most.saturating_sub(taken) / 2);
    let mut solver = Solver::start(left)?;
    let mut terms = Terms::default();
    let automata = automata(&executable, model, &mut terms, &mut solver)?;
    let cells = executable.cells.initial.iter().enumerate();
    let initial = cells.map(|(cell, word)| (Variable::Cell(cell as u32), *word));
    let mut partition = Partition {
        flat,
        options,
        stop,
        solver,
        terms,
        threads: Threads::new(&automata, &executable.cells),
        predicates: Predicates::default(),
        initial: initial.collect(),
        states: 0,
    };
    let robust = buffering == Buffering::None || delays::is_robust(&automata);
    let decided = partition.run(robust);
    let names = flat.threads.iter().map(|thread| thread.name.clone());
    let mut result = ModelResult {
        machine: MACHINE,
        counts: Counts {
            states: partition.states,
            ..Counts::default()
        },
        started: names.skip(program.threads.len()).collect(),
        bounds: left_out(program, flat),
        ..ModelResult::undecided(model, Engine::Prove)
    };
    match decided {
        Ok(Decided::Safe(bound)) => {
            result.verdict = Verdict::Holds;
            result.bounds.extend(bound.map(Bound::StoreBuffer));
            result.warnings.extend(not_looked_for(program));
        }
        Ok(Decided::Wrong(violation, execution)) => {
            result.verdict = Verdict::Violated;
            result.violation = Some(match program.process {
                true => fault::in_source(program, flat, violation),
                false => violation,
            });
            result.execution = options.explain.then_some(*execution);
        }
        Err(abandoned) => {
            let complete = partition.threads.bound().checked_sub(1);
            if let Some(complete @ 1..) = complete {
                result.bounds.push(Bound::StoreBuffer(complete as u32));
            }
            let states = Bound::States(partition.states);
            result.bounds.push(stop.look().unwrap_or(states));
            result
                .warnings
                .extend(abandoned.warning().map(|message| Warning {
                    span: Span::NOWHERE,
                    message,
                }));
        }
    }
    Ok(result)
}

struct Partition<'p> {
    flat: &'p Program,
    options: &'p Options,
    stop: &'p Stop,
    solver: Solver,
    terms: Terms,
    threads: Threads<'p>,
    predicates: Predicates,
    /// What is in memory at the start; the rest is 0.
    initial: Valuation,
    states: u64,
}

impl Partition<'_> {
    fn run(&mut self, robust: bool) -> Result<Decided, Abandoned> {
        loop {
            match self.explore()? {
                Covered::Except(trace) => {
                    if let Some(wrong) = self.refine(&trace)? {
                        return Ok(wrong);
                    }
                }
                Covered::All { full } if robust || !full => return Ok(Decided::Safe(None)),
                Covered::All { .. } if self.threads.bound() >= MOST_STORES => {
                    return Ok(Decided::Safe(Some(MOST_STORES as u32)));
                }
                Covered::All { .. } => self.threads.grow(),
            }
        }
    }

    fn explore(&mut self) -> Result<Covered, Abandoned> {
        let control = &self.options.control;
        let search = Search {
            terms: &mut self.terms,
            solver: &mut self.solver,
            threads: &mut self.threads,
            predicates: &mut self.predicates,
            initial: &self.initial,
            stop: self.stop,
            most_states: control.max_states.unwrap_or(u64::MAX),
            states: &mut self.states,
        };
        let covered = search.run();
        control
            .progress
            .states
            .store(self.states, Ordering::Relaxed);
        covered
    }

    /// Proves that a trace cannot be run, or shows that it can.
    fn refine(&mut self, trace: &[Step]) -> Result<Option<Decided>, Abandoned> {
        let effects = trace.iter().map(|step| self.threads.effect(step.effect));
        let effects: Vec<_> = effects.collect();
        let refined = Trace {
            terms: &mut self.terms,
            solver: &mut self.solver,
            initial: &self.initial,
            effects: &effects,
        };
        match refined.run()? {
            Outcome::Execution(chosen) => {
                let run = witness::Run {
                    terms: &mut self.terms,
                    threads: &self.threads,
                    initial: &self.initial,
                    chosen: &chosen,
                };
                let (violation, steps) = run.steps(trace, &effects);
                let execution = Box::new(Execution::new(self.flat, steps, None));
                Ok(violation.map(|violation| Decided::Wrong(violation, execution)))
            }
            Outcome::Infeasible(found) => {
                let mut new = false;
                for predicate in found {
                    new |= self.predicates.add(&self.terms, predicate);
                }
                if !new || self.predicates.count() > MOST_PREDICATES {
                    return Err(Abandoned::Predicates);
                }
                Ok(None)
            }
        }
    }
}
