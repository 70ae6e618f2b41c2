//! Questions to the executions of a program, within bounds that grow.

use crate::encode::{self, Encoding, LitWord};
use crate::limits::Limits;
use crate::refusal::{Halt, NotSolvable};
use crate::sat::{Answer, Lit, OrderBy, Solver, Stop};
use crate::unroll::{self, IterationCounts, LoopId};
use answer::{Bound, FaultKind, Outcome, Violation};
use control::Control;
use memory::Model;
use program::{Program, Span, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// What keeps the memory order acyclic.
    pub order: OrderBy,
    /// Limits, progress and interruption.
    pub control: Control,
    /// No loop has more iterations.
    pub most_iterations: u32,
    /// Give up after this much work, in looks at the limits: some 20,000 a second, whatever the clock says.
    pub max_work: Option<u64>,
    /// Where a loop goes on beyond the most iterations, show an execution in which it does.
    pub shows_excess: bool,
    /// Write a proof that nothing is wrong to this file.
    pub certificate: Option<PathBuf>,
    /// What the proof is for, by names and values of one line.
    pub subject: Vec<(String, String)>,
    /// What the proof says of itself.
    pub about: Vec<String>,
}

impl Options {
    /// Most iterations of a loop, by default.
    pub const MOST_ITERATIONS: u32 = 64;

    /// The same, without a proof.
    pub fn without_certificate(&self) -> Self {
        Options {
            certificate: None,
            ..self.clone()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: OrderBy::Theory,
            control: Control::default(),
            most_iterations: Options::MOST_ITERATIONS,
            max_work: None,
            shows_excess: false,
            certificate: None,
            subject: Vec::new(),
            about: Vec::new(),
        }
    }
}

/// Whether loops may take more iterations than the bounds allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundStatus {
    /// No execution goes beyond them.
    Sufficient,
    /// A loop, which stands there, would go on after this many iterations.
    Exceeded(Span, u32),
    /// Not known: the search was told to stop.
    Unknown,
}

/// How large the formula is, and how long it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Instructions of the unrolled program.
    pub instructions: u64,
    /// Its loads.
    pub loads: u64,
    /// Its stores.
    pub stores: u64,
    /// Variables.
    pub variables: u64,
    /// Clauses.
    pub clauses: u64,
    /// Conflicts of the solver, in all.
    pub conflicts: u64,
    /// Those of earlier rounds.
    earlier_conflicts: u64,
    /// Times that the program was unrolled.
    pub rounds: u32,
    /// Time for unrolling and encoding.
    pub encoding: Duration,
    /// Time for solving.
    pub solving: Duration,
}

/// The executions of a program under a model.
pub struct Search<'a> {
    program: &'a Program,
    model: Model,
    options: Options,
    iterations: IterationCounts,
    /// The formula.
    pub encoding: Encoding,
    excluded: Vec<Outcome>,
    /// Orders of the columns that make no difference.
    swaps: Vec<Vec<usize>>,
    /// True of executions that end, with an outcome that is not excluded.
    fresh: Lit,
    /// How much work it was.
    pub effort: Effort,
    /// Whether the bounds suffice, as far as that is known.
    pub bounds: BoundStatus,
    /// Loops that go on beyond bounds within which nothing was found, with those.
    covered: Vec<(Span, u32)>,
    /// Outcomes have been asked for.
    asked_fresh: bool,
    limits: Limits,
    /// The question is given up after this many looks at the limits, though the search goes on. It is not a time, so
    /// that what is found does not depend on how fast, or how often paused, the search is.
    budget: Option<u64>,
}

/// A question that may be asked again later is given this many looks at least: some 20 ms.
const SHORT: u64 = 400;

impl<'a> Search<'a> {
    /// The executions in which every loop has one iteration.
    pub fn new(program: &'a Program, model: Model, options: Options) -> Result<Self, Halt> {
        let limits = Limits::new(&options);
        let iterations = IterationCounts::default();
        let solver = Solver::new(options.order);
        let mut effort = Effort::default();
        let encoding = make(program, model, &iterations, solver, &mut effort, &limits)?;
        let mut search = Search {
            program,
            model,
            options,
            iterations,
            encoding,
            excluded: Vec::new(),
            swaps: Vec::new(),
            fresh: Lit::TRUE,
            effort,
            bounds: BoundStatus::Unknown,
            covered: Vec::new(),
            asked_fresh: false,
            limits,
            budget: None,
        };
        search.begin();
        Ok(search)
    }

    fn begin(&mut self) {
        self.fresh = self.encoding.solver.variable();
        let complete = self.encoding.complete;
        self.encoding.solver.clause(&[!self.fresh, complete]);
        for outcome in std::mem::take(&mut self.excluded) {
            self.exclude(outcome);
        }
        for swap in self.swaps.clone() {
            self.prefer(&swap);
        }
    }

    /// Of outcomes that differ only by swaps, asks for one.
    pub fn break_symmetry(&mut self, swaps: &[Vec<usize>]) {
        self.swaps = swaps.to_vec();
        for swap in swaps {
            self.prefer(swap);
        }
    }

    /// Asks only for outcomes that are not larger than with columns swapped.
    fn prefer(&mut self, swap: &[usize]) {
        let observed = &self.encoding.observed;
        let moved = (0..swap.len()).filter(|&column| swap[column] > column);
        let pairs: Vec<(Vec<Lit>, Vec<Lit>)> = moved
            .map(|column| {
                (
                    observed[column].bits.clone(),
                    observed[swap[column]].bits.clone(),
                )
            })
            .collect();
        // Later columns weigh less.
        let [mine, theirs] = [0, 1].map(|side| {
            let words = pairs.iter().rev();
            let bits = words.flat_map(|pair| if side == 0 { &pair.0 } else { &pair.1 });
            bits.copied().collect::<Vec<Lit>>()
        });
        let larger = self.encoding.is_less(&theirs, &mine);
        self.encoding.solver.clause(&[!self.fresh, !larger]);
    }

    /// Encodes the program for larger bounds; false if a limit is reached before that is done.
    fn encode_again(&mut self) -> Result<bool, NotSolvable> {
        let solver = Solver::new(self.options.order);
        self.effort.earlier_conflicts = self.effort.conflicts;
        let made = make(
            self.program,
            self.model,
            &self.iterations,
            solver,
            &mut self.effort,
            &self.limits,
        );
        match made {
            Ok(encoding) => {
                self.encoding = encoding;
                self.begin();
                Ok(true)
            }
            Err(halt) => halt.stopped().map(|_| false),
        }
    }

    /// Asks for an execution with these literals.
    fn ask(&mut self, literals: &[Lit]) -> Answer {
        let start = Instant::now();
        let short = self.budget.map(|budget| self.limits.looks() + budget);
        let limits = self.limits.clone();
        let stop: Stop = Rc::new(move || {
            let late = |end: u64| limits.looks() > end;
            limits.reached().is_some() || short.is_some_and(late)
        });
        let answer = self.encoding.solver.solve(literals, &stop);
        self.effort.solving += start.elapsed();
        let statistics = self.encoding.solver.statistics();
        self.effort.variables = statistics.variables;
        self.effort.clauses = statistics.clauses;
        self.effort.conflicts = self.effort.earlier_conflicts + statistics.conflicts;
        answer
    }

    /// Why the search stopped.
    pub fn stopped(&self) -> Bound {
        self.limits.reached().unwrap_or(Bound::Interrupted(0))
    }

    /// Looks for something, which these literals show, within bounds that grow until they are
    /// enough or it is found. True if it is found.
    ///
    /// What shows and what goes beyond the bounds is asked for together: mostly there is neither.
    pub fn look(&mut self, shows: impl Fn(&mut Self) -> Vec<Lit>) -> Result<bool, NotSolvable> {
        loop {
            let wanted = shows(self);
            let mut both = wanted.clone();
            both.extend(&self.encoding.excesses);
            match self.ask_any(&both) {
                Answer::Stopped => {
                    self.bounds = BoundStatus::Unknown;
                    return Ok(false);
                }
                Answer::Unsatisfiable => {
                    self.bounds = BoundStatus::Sufficient;
                    return Ok(false);
                }
                Answer::Satisfiable => {}
            }
            if wanted.iter().any(|&lit| self.encoding.solver.value(lit)) {
                return Ok(true);
            }
            // These bounds are not the last ones: a short look must do.
            self.budget = Some(self.limits.looks().max(SHORT));
            let answer = self.ask_any(&wanted);
            self.budget = None;
            if answer == Answer::Satisfiable {
                return Ok(true);
            }
            let growing = self.growing_loops()?;
            if answer == Answer::Unsatisfiable && !growing.is_empty() {
                self.covered = self.bounds_of(&growing);
            }
            if !self.grow(growing)? {
                return Ok(false);
            }
        }
    }

    fn ask_any(&mut self, literals: &[Lit]) -> Answer {
        let some = self.encoding.solver.variable();
        let clause: Vec<Lit> = literals.iter().copied().chain([!some]).collect();
        self.encoding.solver.clause(&clause);
        self.ask(&[some])
    }

    /// Lets loops have as many iterations as executions do.
    pub fn find_bounds(&mut self) -> Result<BoundStatus, NotSolvable> {
        loop {
            let growing = self.growing_loops()?;
            if !self.grow(growing)? {
                return Ok(self.bounds);
            }
        }
    }

    /// The loops that go on beyond their bounds in some execution; none if one of them may not, or it is time to stop.
    fn growing_loops(&mut self) -> Result<Vec<LoopId>, NotSolvable> {
        let mut grown = Vec::new();
        self.bounds = BoundStatus::Sufficient;
        loop {
            let open: Vec<usize> = (0..self.encoding.excesses.len())
                .filter(|&index| {
                    let at = self.encoding.unrolled.excesses[index].at;
                    !grown.contains(&at) && self.encoding.excesses[index] != Lit::FALSE
                })
                .collect();
            if open.is_empty() {
                break;
            }
            let excesses = open.iter().map(|&index| self.encoding.excesses[index]);
            let excesses: Vec<Lit> = excesses.collect();
            match self.ask_any(&excesses) {
                Answer::Unsatisfiable => break,
                Answer::Stopped => {
                    self.bounds = BoundStatus::Unknown;
                    return Ok(Vec::new());
                }
                Answer::Satisfiable => {}
            }
            for index in open {
                if self.encoding.solver.value(self.encoding.excesses[index]) {
                    let excess = self.encoding.unrolled.excesses[index];
                    if excess.iterations >= self.options.most_iterations {
                        self.bounds = BoundStatus::Exceeded(excess.span, excess.iterations);
                        return Ok(Vec::new());
                    }
                    if !grown.contains(&excess.at) {
                        grown.push(excess.at);
                    }
                }
            }
        }
        Ok(grown)
    }

    /// Lines of loops, each with the least of its bounds, of which it has one for each way to be called.
    fn bounds_of(&self, loops: &[LoopId]) -> Vec<(Span, u32)> {
        let mut bounds: BTreeMap<Span, u32> = BTreeMap::new();
        for excess in &self.encoding.unrolled.excesses {
            if loops.contains(&excess.at) {
                let least = bounds.entry(excess.span).or_insert(excess.iterations);
                *least = excess.iterations.min(*least);
            }
        }
        bounds.into_iter().collect()
    }

    /// Lets loops have one more iteration; true if there are any.
    fn grow(&mut self, loops: Vec<LoopId>) -> Result<bool, NotSolvable> {
        if loops.is_empty() {
            return Ok(false);
        }
        for at in loops {
            self.iterations.grow(at);
        }
        let made = self.encode_again()?;
        if !made {
            self.bounds = BoundStatus::Unknown;
        }
        Ok(made)
    }

    /// Writes a proof, if asked for, that no execution goes wrong, goes on beyond the bounds, or
    /// ends with another outcome than those excluded. If a limit is reached before that is
    /// done, there is no proof, and the limit is returned.
    pub fn certify(
        &mut self,
        program: &Program,
        model: Model,
    ) -> Result<Option<Bound>, NotSolvable> {
        let Some(path) = self.options.certificate.clone() else {
            return Ok(None);
        };
        match self.write_proof(program, model, &path) {
            Ok(()) => Ok(None),
            Err(halt) => {
                // Half a proof is none. What is no file, such as a device, is not ours to remove.
                if std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
                    let _ = std::fs::remove_file(&path);
                }
                halt.stopped().map(Some)
            }
        }
    }

    fn write_proof(&mut self, program: &Program, model: Model, path: &Path) -> Result<(), Halt> {
        let failed = |error: std::io::Error| NotSolvable {
            message: format!("cannot write {}: {error}", path.display()),
            span: Span::NOWHERE,
        };
        let sink = Box::new(BufWriter::new(File::create(path).map_err(failed)?));
        let mut subject = self.options.subject.clone();
        subject.push(("bounds".to_owned(), self.iterations.most().to_string()));
        let about = &self.options.about;
        let solver = Solver::with_certificate(self.options.order, &subject, about, sink);
        let mut effort = Effort::default();
        let mut proved = Search {
            program,
            model,
            options: self.options.clone(),
            iterations: self.iterations.clone(),
            encoding: make(
                program,
                model,
                &self.iterations,
                solver,
                &mut effort,
                &self.limits,
            )?,
            excluded: self.excluded.clone(),
            swaps: self.swaps.clone(),
            fresh: Lit::TRUE,
            effort,
            bounds: self.bounds,
            covered: Vec::new(),
            asked_fresh: self.asked_fresh,
            limits: self.limits.clone(),
            budget: None,
        };
        proved.begin();
        let mut goal = proved.encoding.excesses.clone();
        goal.push(proved.encoding.wrong);
        if self.asked_fresh {
            goal.push(proved.fresh);
        }
        proved.encoding.solver.clause(&goal);
        let answer = proved.ask(&[]);
        proved
            .encoding
            .solver
            .finish_certificate()
            .map_err(failed)?;
        match answer {
            Answer::Unsatisfiable => Ok(()),
            Answer::Stopped => Err(Halt::Stopped(self.stopped())),
            Answer::Satisfiable => unreachable!("the same formula has just been refuted"),
        }
    }

    /// What is wrong with the execution that was found, if anything; an error if that cannot
    /// be told.
    pub fn violation(&self) -> Result<Option<Violation>, NotSolvable> {
        let violation = self.encoding.violation(self.program);
        match &violation {
            Some(Violation::Fault { fault, span, .. })
                if fault.kind == FaultKind::Uninitialised
                    && self.encoding.undefined_bits
                    && !self.encoding.is_undefined(self.program) =>
            {
                Err(NotSolvable {
                    message: "a word of which only some bits are initialised".to_owned(),
                    span: *span,
                })
            }
            _ => Ok(violation),
        }
    }

    /// What the bounds leave out.
    pub fn bounds(&self) -> Vec<Bound> {
        match self.bounds {
            BoundStatus::Sufficient => Vec::new(),
            BoundStatus::Exceeded(span, iterations) => vec![Bound::Unroll(iterations, span)],
            BoundStatus::Unknown => {
                let covered = self.covered.iter();
                let covered = covered.map(|&(span, iterations)| Bound::Unroll(iterations, span));
                covered.chain([self.stopped()]).collect()
            }
        }
    }

    /// What is not looked at, whatever the bounds are.
    pub fn left_out(&self) -> Vec<Bound> {
        let unrolled = &self.encoding.unrolled;
        let all = [
            (unrolled.waits, Bound::Waiting),
            (unrolled.ends_lives, Bound::Lifetimes),
            (unrolled.prints_numbers, Bound::Undefined),
        ];
        let left_out = all.into_iter().filter(|(may, _)| *may);
        left_out.map(|(_, bound)| bound).collect()
    }

    /// Asks for an execution in which something goes wrong.
    pub fn ask_wrong(&mut self) -> Answer {
        let wrong = self.encoding.wrong;
        self.ask(&[wrong])
    }

    /// Asks for an execution in which the program comes to its end.
    pub fn ask_end(&mut self) -> Answer {
        let end = self.encoding.reaches_end;
        self.ask(&[end])
    }

    /// Asks for an execution in which the program comes to its end, and another thread does not
    /// come to its own. It may be one in which that thread could go on.
    pub fn ask_end_with_others_left(&mut self) -> Answer {
        let Encoding {
            reaches_end,
            complete,
            ..
        } = self.encoding;
        self.ask(&[reaches_end, !complete])
    }

    /// Asks for an execution in which every thread comes to its end.
    pub fn ask_complete(&mut self) -> Answer {
        let complete = self.encoding.complete;
        self.ask(&[complete])
    }

    /// Asks for an execution that comes to one of these assertions; those that it comes to,
    /// or nothing if the search was told to stop.
    pub fn ask_assertions(&mut self, open: &BTreeSet<Span>) -> Option<BTreeSet<Span>> {
        let sites = self.encoding.assertions.clone();
        let sites = sites.into_iter().filter(|(span, _)| open.contains(span));
        let sites: Vec<(Span, Lit)> = sites.collect();
        let literals: Vec<Lit> = sites.iter().map(|&(_, lit)| lit).collect();
        match self.ask_any(&literals) {
            Answer::Stopped => None,
            Answer::Unsatisfiable => Some(BTreeSet::new()),
            Answer::Satisfiable => {
                let solver = &self.encoding.solver;
                let reached = sites.iter().filter(|(_, lit)| solver.value(*lit));
                Some(reached.map(|&(span, _)| span).collect())
            }
        }
    }

    /// Asks for an execution that ends with an outcome that is not excluded.
    pub fn ask_fresh(&mut self) -> Answer {
        self.asked_fresh = true;
        self.ask(&[self.fresh])
    }

    /// True of executions that go wrong, or that end with an outcome that is not excluded.
    pub fn wrong_or_fresh(&mut self) -> Vec<Lit> {
        self.asked_fresh = true;
        vec![self.encoding.wrong, self.fresh]
    }

    /// The outcome of the execution that was found.
    pub fn outcome(&self) -> Outcome {
        let words = self.encoding.observed.iter();
        Outcome(words.map(|word| self.encoding.value(word)).collect())
    }

    /// What is observed in the execution that was found, as far as it comes to that.
    pub fn observed(&self) -> Vec<Option<Word>> {
        let words = self.encoding.observed.iter().zip(&self.encoding.observing);
        let value = |(word, &made): (&LitWord, &Lit)| {
            let made = self.encoding.solver.value(made);
            made.then(|| self.encoding.value(word))
        };
        words.map(value).collect()
    }

    /// Leaves executions with this outcome out of what is [fresh](Search::ask_fresh).
    pub fn exclude(&mut self, outcome: Outcome) {
        let mut clause = vec![!self.fresh];
        for (word, &value) in self.encoding.observed.iter().zip(&outcome.0) {
            clause.extend(other_than(word, value));
        }
        self.encoding.solver.clause(&clause);
        self.excluded.push(outcome);
    }

    /// The most iterations of any loop.
    pub fn most_iterations(&self) -> u32 {
        self.iterations.most()
    }
}

/// Literals of which one is true if the word has another value.
fn other_than(word: &LitWord, value: Word) -> impl Iterator<Item = Lit> + '_ {
    let bits = word.bits.iter().enumerate();
    bits.map(move |(index, &bit)| if value >> index & 1 == 1 { !bit } else { bit })
}

fn make(
    program: &Program,
    model: Model,
    iterations: &IterationCounts,
    solver: Solver,
    effort: &mut Effort,
    limits: &Limits,
) -> Result<Encoding, Halt> {
    let start = Instant::now();
    let unrolled = unroll::unroll(program, model, iterations, limits)?;
    effort.instructions = unrolled.instructions;
    effort.loads = unrolled.events.iter().filter(|event| event.loads).count() as u64;
    effort.stores = unrolled
        .events
        .iter()
        .filter(|e| e.stored.is_some())
        .count() as u64;
    let encoding = encode::encode(program, model, unrolled, solver, limits)?;
    effort.rounds += 1;
    effort.encoding += start.elapsed();
    Ok(encoding)
}
