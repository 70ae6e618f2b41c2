//! Whether store buffers show anything that sequential consistency does not.

use crate::engines::{Attacker, Explore, NonSequential, Prover};
use crate::events::Event;
use crate::guard;
use crate::options::{Options, Preemptions};
use crate::question::Question;
use crate::refusal::Refused;
use crate::series::explore_series;
use answer::{Bound, Engine, ModelResult};
use memory::Model;
use program::Program;
use std::sync::Arc;
use std::time::Instant;

/// Executions after which those with few preemptions are tried first.
const EXECUTIONS_FIRST: u64 = 1_000_000;

/// Do store buffers show anything that sequential consistency does not? Only executions of SC are explored, as far
/// as the monitor can tell from them.
///
/// ```
/// # fn main() -> Result<(), Box<program::Diagnostic>> {
/// use check::{Question, Robust};
/// use memory::Model;
/// use answer::{Verdict, Violation};
/// use program::Source;
///
/// let read = |fence: &str| {
///     let text = format!(
///         "X86 SB
///         {{ x=0; y=0; }}
///          P0          | P1          ;
///          MOV [x],$1  | MOV [y],$1  ;
///          {fence}     | {fence}     ;
///          MOV EAX,[y] | MOV EAX,[x] ;
///         exists (0:EAX=0)"
///     );
///     frontend::read(&Source::new("SB.litmus", text)).map(Into::into)
/// };
/// let models = Model::Tso.into();
/// let fenced = Robust::default().answers(&read("MFENCE")?, &models)?;
/// assert_eq!(fenced[0].verdict, Verdict::Holds);
/// let plain = Robust::default().answers(&read("NOP")?, &models)?;
/// assert!(matches!(plain[0].violation, Some(Violation::NotSequential(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Robust {
    /// How to search.
    pub options: Options,
    /// Continue after the first execution that SC does not have, to one for each location in the source.
    pub all: bool,
    /// Look only at executions with few preemptions; by default at all, or at those with few first if there are
    /// too many.
    pub preemptions: Option<Preemptions>,
    /// Decide it on the automata of a program with finite data, for loops that never end: the search for attacks.
    pub unbounded: bool,
}

impl Question for Robust {
    fn options(&self) -> &Options {
        &self.options
    }

    fn run(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        if self.options.buffer.is_some() {
            let text = "robust does not understand --buffer; it looks at buffers of any size";
            return Err(Refused::Engine(text.to_owned()));
        }
        if self.unbounded {
            return self.attacks(program, model);
        }
        let exploration = Explore {
            all: self.all,
            monitor: true,
            robust: NonSequential::ReportOnly,
            preemptions: Preemptions::at_most(self.preemptions),
            ..self.options.explore(self.options.left())
        };
        let asking = Asking {
            options: &self.options,
            process: Arc::new(program.as_process()),
            model,
        };
        self.options.timed(|| match self.preemptions {
            Some(Preemptions::From(first)) => asking.series(first, &exploration),
            Some(Preemptions::AtMost(_)) => asking.explore(&exploration),
            None => asking.all_or_few(&exploration),
        })
    }
}

impl Robust {
    fn attacks(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        let attacker = Attacker(Prover {
            control: self.options.left(),
            explain: self.options.explain,
            ..Prover::default()
        });
        self.options.timed(|| {
            let progress = &attacker.0.control.progress;
            let _running = self.options.listener.search(model, Engine::Prove, progress);
            guard::run(&attacker, program, model)
        })
    }
}

/// The question about one program under one model.
struct Asking<'a> {
    options: &'a Options,
    /// The program, for the machine of C programs.
    process: Arc<Program>,
    model: Model,
}

impl Asking<'_> {
    /// Explores all executions, or, if there are too many, those with few preemptions.
    fn all_or_few(&self, exploration: &Explore) -> Result<ModelResult, Refused> {
        let started = Instant::now();
        let control = &exploration.control;
        let first = Explore {
            control: control
                .with_states(control.max_states.or(Some(EXECUTIONS_FIRST)))
                .with_time(control.max_time.map(|time| time / 2)),
            ..exploration.clone()
        };
        let all = self.explore(&first)?;
        let open = all.bounds.iter().any(|bound| bound.is_too_much());
        if !open || control.max_states.is_some() || all.violation.is_some() {
            return Ok(all);
        }
        let endless = |bound: &Bound| matches!(bound, Bound::Events(_));
        let seen = all.counts.executions + all.counts.blocked;
        self.options.listener.tell(Event::TooMany {
            model: self.model,
            executions: (!all.bounds.iter().any(endless)).then_some(seen),
        });
        let rest = Explore {
            control: control.after(started.elapsed()),
            ..exploration.clone()
        };
        self.series(0, &rest)
    }

    /// Explores with one preemption more each time.
    fn series(&self, first: u32, exploration: &Explore) -> Result<ModelResult, Refused> {
        let listener = &self.options.listener;
        explore_series(exploration, listener, first, |exploration| {
            self.explore(exploration)
        })
    }

    /// Explores executions of SC, or, where the monitor cannot tell, those of the model.
    fn explore(&self, exploration: &Explore) -> Result<ModelResult, Refused> {
        let progress = &exploration.control.progress;
        let listener = &self.options.listener;
        let _running = listener.search(self.model, Engine::Monitor, progress);
        let started = Instant::now();
        guard::run(exploration, &self.process, self.model).or_else(|_| {
            let buffered = Explore {
                monitor: false,
                control: exploration.control.after(started.elapsed()),
                ..exploration.clone()
            };
            guard::run(&buffered, &self.process, self.model)
        })
    }
}
