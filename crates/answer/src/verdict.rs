//! Results: what an engine found under one model.

use crate::{Engine, Execution, Fault, OpenLoop, Part, Warning};
use memory::Model;
use program::{Comparison, Formula, Liveness, Observable, Span, Term, ThreadId, Word};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What an engine says of a program under one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every property holds, in everything that the result covers.
    Holds,
    /// Some property does not hold.
    Violated,
    /// Not decided: a bound was in the way.
    Undecided,
}

impl Verdict {
    /// The verdict of a search that did or did not find something wrong within these bounds.
    pub fn of(violated: bool, bounds: &[Bound]) -> Self {
        if violated {
            Verdict::Violated
        } else if bounds.iter().all(|bound| bound.is_exhausted()) {
            Verdict::Holds
        } else {
            Verdict::Undecided
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Undecided => "undecided",
        })
    }
}

/// What a search counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// States.
    State,
    /// Executions.
    Execution,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::State => "state",
            Unit::Execution => "execution",
        })
    }
}

/// Why some behaviour was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Store buffers of at most this many entries, and one was full.
    StoreBuffer(u32),
    /// Reorder boxes of at most this many entries, and one was full.
    ReorderBox(u32),
    /// A loop went round at most so often, and one would have gone on.
    Unroll(u32, Span),
    /// A thread ran this many instructions without anything that others could see.
    Steps(u64, Span),
    /// Executions were cut off where they do something right that is not supported.
    Unsupported(Span),
    /// Values without a range were taken from 0 to one less than this.
    Values(u32),
    /// Executions that end in a deadlock or livelock were left out.
    Waiting,
    /// Outcomes of executions in which the first thread has ended and another never does were
    /// left out, and there may be such executions.
    WaitingAtEnd,
    /// Whether objects are used after they were freed or destroyed, or their functions have
    /// returned, was not checked.
    Lifetimes,
    /// Whether a value is used that was never defined was not looked at.
    Undefined,
    /// No execution reaches the end: every one is discarded by an assumption, or some thread
    /// is blocked for good in it. What holds of none is not known to hold, so the verdict is
    /// undecided, whatever else was looked at. For every engine.
    NoExecution,
    /// Executions with at most this many preemptions.
    Preemptions(u32),
    /// An execution was cut off after this many events.
    Events(u64),
    /// So many versions of events could not be run, though the exploration's argument says that
    /// they can: a mistake of ours, and executions may be missing.
    Incomplete(u64),
    /// A violation was found that the machine does not reach: a mistake of ours, and the violation is not reported.
    Unconfirmed,
    /// The search stopped after this many states.
    States(u64),
    /// The search stopped after this many executions, for the reason that follows it.
    Executions(u64),
    /// The search stopped when its states took this many bytes.
    Memory(u64),
    /// The search stopped after this time.
    Time(Duration),
    /// The user stopped the search after this many states, or executions.
    Interrupted(u64),
}

impl Bound {
    /// True if the search went through everything that the bound leaves.
    pub fn is_exhausted(self) -> bool {
        matches!(
            self,
            Bound::StoreBuffer(_)
                | Bound::ReorderBox(_)
                | Bound::Waiting
                | Bound::Lifetimes
                | Bound::Undefined
                | Bound::Preemptions(_)
        )
    }

    /// True if the search ended there, with things still to explore.
    pub fn stops_search(self) -> bool {
        matches!(
            self,
            Bound::States(_)
                | Bound::Executions(_)
                | Bound::Memory(_)
                | Bound::Time(_)
                | Bound::Interrupted(_)
        )
    }

    /// True if executions were left out: too many of them, too long ones, or some that could not
    /// be run.
    pub fn is_too_much(self) -> bool {
        matches!(
            self,
            Bound::Executions(_)
                | Bound::Events(_)
                | Bound::Time(_)
                | Bound::Incomplete(_)
                | Bound::Unconfirmed
        )
    }

    /// True if behaviour was left out by a mistake of ours.
    pub fn is_mistake(self) -> bool {
        matches!(self, Bound::Incomplete(_) | Bound::Unconfirmed)
    }

    /// In words, for a search of such things.
    fn told(self, unit: Unit) -> String {
        match self {
            Bound::Time(time) => {
                let seconds = (time.as_secs_f64() * 10.0).round() / 10.0;
                format!("the {unit}s seen in {seconds} s")
            }
            // A solver explores nothing that could be counted.
            Bound::Interrupted(0) => "what was looked at before the interrupt".to_owned(),
            Bound::Interrupted(1) => format!("the one {unit} seen before the interrupt"),
            Bound::Interrupted(count) => format!("the {count} {unit}s seen before the interrupt"),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::StoreBuffer(size) => write!(f, "store buffers of at most {size} entries"),
            Bound::ReorderBox(size) => write!(f, "reorder boxes of at most {size} entries"),
            Bound::Unroll(1, at) => write!(f, "one iteration of the loop at line {}", at.line),
            Bound::Unroll(iterations, at) => {
                write!(f, "{iterations} iterations of the loop at line {}", at.line)
            }
            Bound::Steps(steps, at) => write!(
                f,
                "{steps} instructions of a thread on its own, at line {}",
                at.line
            ),
            Bound::Unsupported(at) => write!(
                f,
                "executions up to what is not supported at line {}",
                at.line
            ),
            Bound::Values(count) => write!(f, "nondeterministic values below {count}"),
            Bound::Waiting => write!(f, "executions without deadlock or livelock"),
            Bound::WaitingAtEnd => write!(
                f,
                "outcomes of executions without deadlock or livelock after main has ended"
            ),
            Bound::Lifetimes => write!(f, "uses of objects that are neither freed nor destroyed"),
            Bound::Undefined => write!(f, "values that are defined"),
            Bound::NoExecution => write!(f, "no execution: none reaches the end"),
            Bound::Preemptions(0) => write!(f, "executions without preemption"),
            Bound::Preemptions(1) => write!(f, "executions with at most one preemption"),
            Bound::Preemptions(most) => {
                write!(f, "executions with at most {most} preemptions")
            }
            Bound::Events(most) => write!(f, "the first {most} events of an execution"),
            Bound::Incomplete(_) => write!(
                f,
                "part of the executions, by a mistake of fencepost (please report it)"
            ),
            Bound::Unconfirmed => write!(
                f,
                "what the machine confirms: a violation was found that it does not reach, by a mistake of fencepost (please report it)"
            ),
            Bound::Executions(1) => write!(f, "the first execution"),
            Bound::Executions(count) => write!(f, "the first {count} executions"),
            Bound::States(1) => write!(f, "the first state"),
            Bound::States(count) => write!(f, "the first {count} states"),
            Bound::Memory(bytes) => write!(f, "what fits into {} MB", bytes.div_ceil(1_000_000)),
            Bound::Time(_) | Bound::Interrupted(_) => f.write_str(&self.told(Unit::State)),
        }
    }
}

/// A final state: the values of `Program::observed`, in that order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Outcome(pub Vec<Word>);

impl Outcome {
    /// The formula that holds in final states with these values only.
    pub fn formula(&self, observed: &[Observable]) -> Formula {
        let equal = |(observable, word): (&Observable, &Word)| {
            let number = Term::Number(observable.number(*word));
            Formula::Compare(Comparison::Equal, Term::Value(observable.clone()), number)
        };
        Formula::And(observed.iter().zip(&self.0).map(equal).collect())
    }

    /// Sorts outcomes as people read them.
    pub fn sort(outcomes: &mut [Outcome], observed: &[Observable]) {
        outcomes.sort_by_cached_key(|outcome| outcome.numbers(observed));
    }

    /// The values as the numbers that people see, for sorting.
    pub fn numbers(&self, observed: &[Observable]) -> Vec<i128> {
        let values = observed.iter().zip(&self.0);
        values.map(|(o, word)| o.number(*word)).collect()
    }
}

/// How often a condition held in the final states, in herd7's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Final states that satisfy the condition's formula.
    pub positive: usize,
    /// Final states that do not.
    pub negative: usize,
}

impl Observation {
    /// `Never`, `Sometimes` or `Always`.
    pub fn word(self) -> &'static str {
        match (self.positive, self.negative) {
            (0, _) => "Never",
            (_, 0) => "Always",
            _ => "Sometimes",
        }
    }
}

/// What is wrong with a program. Every way to fail is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A final state breaks the condition (`forall`, `~exists`).
    FinalState(Outcome),
    /// No final state satisfies the condition (`exists`).
    NoWitness,
    /// A reachable state breaks an invariant.
    Invariant(Formula),
    /// A fair execution never satisfies what it should in the end.
    Liveness(Liveness),
    /// No thread can go on, and not all have ended: those that have not.
    Deadlock(Vec<Waiting>),
    /// A thread of a C program did something wrong.
    Fault {
        /// The thread.
        thread: ThreadId,
        /// Where.
        span: Span,
        /// What.
        fault: Fault,
    },
    /// An execution that sequential consistency does not have: these accesses, each ordered
    /// before the next and the last before the first.
    NotSequential(Vec<Link>),
    /// A client of a data type observes what no serial execution shows.
    NotSerial(Outcome),
    /// An assertion failed.
    Assertion {
        /// The thread.
        thread: ThreadId,
        /// The assertion.
        span: Span,
    },
    /// An access to something that is no location of the program.
    BadAccess {
        /// The thread.
        thread: ThreadId,
        /// The access.
        span: Span,
        /// The address used.
        address: Word,
    },
}

/// An access in a cycle, and why it comes before the next one there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The thread.
    pub thread: ThreadId,
    /// The access.
    pub span: Span,
    /// What it does, as in `store to x`.
    pub access: String,
    /// How it comes before the next access of the cycle.
    pub order: LinkOrder,
    /// The next access, later in the program, overtook it: it is a store that had to wait.
    pub overtaken: bool,
}

/// How an access comes before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkOrder {
    /// In the program.
    Program,
    /// The other reads what it wrote.
    ReadsFrom,
    /// The other overwrites what it wrote.
    Coherence,
    /// The other overwrites what it read.
    FromRead,
}

impl fmt::Display for LinkOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LinkOrder::Program => "comes before, in the program",
            LinkOrder::ReadsFrom => "is read by",
            LinkOrder::Coherence => "is overwritten by",
            LinkOrder::FromRead => "reads what is overwritten by",
        })
    }
}

/// A thread that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The thread.
    pub thread: ThreadId,
    /// Where it waits.
    pub span: Span,
    /// What for, as in `waits for mutex m, held by thread 2`; may be empty.
    pub reason: String,
}

/// The size of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Distinct states stored.
    pub states: u64,
    /// Steps taken between them.
    pub transitions: u64,
    /// Length of the longest shortest execution to a state.
    pub depth: u64,
    /// Bytes that the stored states took.
    pub bytes: u64,
    /// Complete executions.
    pub executions: u64,
    /// Executions that a failed assumption or a bound cut off, or in which a thread waits for
    /// ever.
    pub blocked: u64,
    /// Executions begun and given up because another one is equivalent.
    pub redundant: u64,
    /// Executions that sequential consistency does not have.
    pub not_sequential: u64,
    /// Executions of SC in which an access could miss a write if stores could wait.
    pub borderline: u64,
    /// Events of all executions; what several begin with counts once.
    pub events: u64,
}

/// A guess at the number of executions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The guess.
    pub executions: f64,
    /// Most likely there are not fewer than this.
    pub low: f64,
    /// Most likely there are not more than this.
    pub high: f64,
    /// Random walks that it is made from.
    pub walks: u32,
    /// Executions on those.
    pub explored: u64,
    /// Events of a walk, on average.
    pub events: f64,
}

/// Whether sequential consistency has what was found under a weaker model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sequential {
    /// It has the violation, too: no fence helps.
    Has,
    /// It has no execution with the violation.
    HasNot,
    /// Nobody asked, or the search for it was given up.
    #[default]
    Unknown,
}

/// What one engine found under one model.
#[derive(Clone, Debug)]
pub struct ModelResult {
    /// The model's name, lower case.
    pub model: Model,
    /// The engine that found it.
    pub engine: Engine,
    /// The machine that ran the program.
    pub machine: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// What was left out; nothing if everything was covered.
    pub bounds: Vec<Bound>,
    /// The size of the search.
    pub counts: Counts,
    /// All final states that pass the filter, sorted by their numbers. Empty if the search stopped at
    /// a violation before it had seen them all.
    pub outcomes: Vec<Outcome>,
    /// How often the condition held, unless a stopped search leaves that open.
    pub observation: Option<Observation>,
    /// What is wrong, if anything.
    pub violation: Option<Violation>,
    /// What else is wrong, if everything was asked for: one violation for each place.
    pub others: Vec<Violation>,
    /// What is not wrong, but worth knowing.
    pub warnings: Vec<Warning>,
    /// Names of threads beyond those of the program, in the order of their numbers.
    pub started: Vec<String>,
    /// An execution that shows the violation, or the witness of an `exists`,
    /// or what the user asked for.
    pub execution: Option<Execution>,
    /// Whether sequential consistency has the violation as well.
    pub sequential: Sequential,
    /// Time that the search took.
    pub time: Duration,
    /// What each engine did, if several worked on the answer side by side.
    pub portfolio: Vec<Part>,
}

impl ModelResult {
    /// The result of an engine that found nothing out.
    pub fn undecided(model: Model, engine: Engine) -> Self {
        ModelResult {
            model,
            engine,
            machine: "none",
            verdict: Verdict::Undecided,
            bounds: Vec::new(),
            counts: Counts::default(),
            outcomes: Vec::new(),
            observation: None,
            violation: None,
            others: Vec::new(),
            warnings: Vec::new(),
            started: Vec::new(),
            execution: None,
            sequential: Sequential::Unknown,
            time: Duration::ZERO,
            portfolio: Vec::new(),
        }
    }

    /// The result if the machine does not reach the violation that was found, for this reason: no verdict, and a
    /// warning with what was claimed.
    pub fn unconfirmed(mut self, why: impl fmt::Display) -> Self {
        let (span, claim) = match self.violation.take() {
            Some(Violation::Fault { span, fault, .. }) => (span, fault.message),
            _ => (Span::NOWHERE, "a violation".to_owned()),
        };
        self.warnings.push(Warning {
            span,
            message: format!("not confirmed: {claim}; {why}"),
        });
        self.bounds.push(Bound::Unconfirmed);
        ModelResult {
            verdict: Verdict::Undecided,
            others: Vec::new(),
            execution: None,
            ..self
        }
    }

    /// What the engine went through.
    pub fn unit(&self) -> Unit {
        self.engine.unit()
    }

    /// True if no execution reaches the end, so that nothing is known to hold.
    pub fn is_vacuous(&self) -> bool {
        self.bounds.contains(&Bound::NoExecution)
    }

    /// Loops that go on beyond what was looked at, by all engines that worked on an answer that is none.
    pub fn open_loops(&self) -> Vec<OpenLoop> {
        let others = self
            .portfolio
            .iter()
            .filter(|_| self.verdict == Verdict::Undecided);
        let others = others.filter(|part| part.engine != self.engine);
        let others = others.flat_map(|part| part.loops.iter().copied());
        self.own_open_loops().into_iter().chain(others).collect()
    }

    /// Those of its own engine. The solver names the bounds that it was done with before it was stopped.
    pub fn own_open_loops(&self) -> Vec<OpenLoop> {
        let stopped = |bound: &Bound| bound.stops_search() || matches!(bound, Bound::Events(_));
        let known = self.engine == Engine::Sat || !self.bounds.iter().any(stopped);
        let bounds = self
            .bounds
            .iter()
            .filter(|_| known && self.verdict == Verdict::Undecided);
        let open = bounds.filter_map(|bound| match *bound {
            Bound::Unroll(iterations, span) => Some(OpenLoop {
                engine: self.engine,
                span,
                iterations,
            }),
            _ => None,
        });
        open.collect()
    }

    /// `everything`, or what the result is limited to.
    pub fn covers(&self) -> String {
        if self.bounds.is_empty() {
            return "everything".to_owned();
        }
        let bounds: Vec<String> = self.bounds.iter().map(|b| b.told(self.unit())).collect();
        bounds.join(", ")
    }
}
