//! Several engines side by side on one question.
//!
//! No engine is the best one for all programs, and which one is cannot be told from a program's text. So the engines
//! that take the program share the cores, each in slices of time that grow with the time spent, and keep their state
//! between them ([`control::Turn`]). The first answer ends the search, as `ranking` has it. Most programs take the first
//! engine a few milliseconds, so it begins alone.
//!
//! **Lanes.** Engines in one lane run at the same time, lanes take turns: the next one is that which had least time. With one worker each engine has a lane of its
//! own. With more, `explore` has one, in which it keeps all cores busy; `sat`, which has one thread, and `states`, with one worker less,
//! share the other. So most engines get half of what they had alone.
//!
//! **What is an answer** is said in `coverage`: a violation of any engine; "holds" of engines that look for all that
//! others look for; and what the search of an engine that does so leaves open at its end, such as a bound of the user's.
//! If no engine has one when all have ended, or a limit is reached, the result is that of the first engine in the order
//! of the portfolio, as long as it does not stand in its own way, with what the others did.
//!
//! **Limits.** The time, and the user's wish to stop, are those of the whole portfolio: when one comes all engines are
//! resumed, and end as they do alone. Engines that remember much may take half of the memory beside `explore`, which needs
//! next to none, and [`BESIDE`] at most if there is no limit; then they end, and it goes on.

use crate::coverage::Coverage;
use crate::engines::{Checker, Explore, Sat, States};
use crate::events::Listener;
use crate::guard;
use crate::ranking::{Standing, State, rank, tier};
use crate::refusal::Refused;
use answer::{Bound, Counts, Did, Engine, ModelResult, Part, Verdict, Warning};
use control::{Control, Progress};
use memory::Model;
use program::{Program, Span};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The first engine is alone for this long,
const ALONE: Duration = Duration::from_millis(30);
/// or longer, if it has hardly begun: where the machine is busy, small programs are still left to it.
const ALONE_AT_MOST: Duration = Duration::from_millis(300);
/// The same for the search of states of a litmus test.
const ALONE_WITH_TEST: Duration = Duration::from_secs(1);
/// A slice is at least this long; it is a part of the time spent, so that switching takes little of it, and lanes are never far apart.
const SLICE: Duration = Duration::from_millis(10);
const SLICE_OF_TIME: u32 = 16;
const LONGEST_SLICE: Duration = Duration::from_millis(500);
/// Time between two looks at the limits and at how far engines are.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);
/// An answer waits this long for others that could come before it, and once more the time that it took.
const PATIENCE: Duration = Duration::from_millis(100);
/// Most bytes that engines take beside `explore`, if there is no limit.
const BESIDE: u64 = 4_000_000_000;

/// A search by one engine.
#[derive(Clone, Debug)]
pub(crate) enum Search {
    Explore(Explore),
    States(States),
    Sat(Sat),
}

impl Search {
    fn engine(&self) -> Engine {
        match self {
            Search::Explore(explore) => explore.engine(),
            Search::States(states) => states.engine(),
            Search::Sat(sat) => sat.engine(),
        }
    }

    pub fn with_control(&self, control: Control) -> Self {
        let mut search = self.clone();
        match &mut search {
            Search::Explore(explore) => explore.control = control,
            Search::States(states) => states.control = control,
            Search::Sat(sat) => sat.options.control = control,
        }
        search
    }

    /// Searches, within its limits.
    pub fn run(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        match self {
            Search::Explore(explore) => guard::run(explore, program, model),
            Search::States(states) => guard::run(states, program, model),
            Search::Sat(sat) => guard::run(sat, program, model),
        }
    }

    /// Looks at its limits after which a search has begun in earnest.
    fn few_looks(&self) -> u64 {
        match self {
            Search::Explore(_) => 1,
            Search::States(_) => 200,
            Search::Sat(_) => 50,
        }
    }
}

/// What a question wants of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Something that is wrong, or that nothing is.
    Verdict,
    /// All outcomes.
    Outcomes,
}

/// A question for several engines.
pub(crate) struct Portfolio<'a> {
    pub program: &'a Arc<Program>,
    pub model: Model,
    pub wanted: Wanted,
    /// The limits of all together.
    pub control: &'a Control,
    /// Workers.
    pub jobs: usize,
    pub listener: &'a Listener,
}

impl Portfolio<'_> {
    /// The answer of these engines, in the order in which they are preferred.
    pub fn run(&self, searches: &[Search]) -> Result<ModelResult, Refused> {
        let Some(first) = searches.first() else {
            panic!("a portfolio without an engine");
        };
        let progress = &self.control.progress;
        let _running = self.listener.search(self.model, first.engine(), progress);
        if let [only] = searches {
            return only.run(self.program, self.model);
        }
        let mut race = Race::new(self, searches);
        let answer = race.run();
        race.end();
        race.result(answer)
    }

    /// Whether a result is an answer, so that no other engine is needed.
    fn is_answer(&self, result: &ModelResult) -> bool {
        let complete = result.bounds.iter().all(|bound| bound.is_exhausted());
        if self.wanted == Wanted::Outcomes && !complete {
            return false;
        }
        let coverage = || Coverage::of(self.program, self.model, result);
        let open = |bound: &Bound| {
            bound.stops_search() || bound.is_mistake() || matches!(bound, Bound::Events(_))
        };
        match result.verdict {
            Verdict::Violated => true,
            Verdict::Holds => coverage() != Coverage::Missing,
            // The solver has bounds of its own.
            Verdict::Undecided => {
                result.engine != Engine::Sat
                    && coverage() == Coverage::Full
                    && !result.bounds.iter().any(open)
            }
        }
    }

    /// Whether an answer counts at once: it is the same whoever gives it.
    fn is_final(&self, result: &ModelResult) -> bool {
        result.verdict != Verdict::Violated
            && result.execution.is_none()
            && Coverage::of(self.program, self.model, result) == Coverage::Full
    }
}

/// An engine that takes part.
struct Entrant {
    search: Search,
    control: Control,
    began: bool,
    /// It may run now.
    runs: bool,
    /// Time in which it could run.
    ran: Duration,
    outcome: Option<Outcome>,
}

/// How an engine ended, and its tier then.
struct Outcome {
    result: Result<ModelResult, Refused>,
    tier: u32,
    answers: bool,
}

type Done = (usize, std::thread::Result<Result<ModelResult, Refused>>);

/// The engines at work.
struct Race<'a> {
    question: &'a Portfolio<'a>,
    started: Instant,
    entrants: Vec<Entrant>,
    lanes: Vec<Vec<usize>>,
    send: Sender<Done>,
    done: Receiver<Done>,
}

impl<'a> Race<'a> {
    fn new(question: &'a Portfolio<'a>, searches: &[Search]) -> Self {
        let entrant = |search: &Search| Entrant {
            search: search.clone(),
            control: Control {
                interrupt: Arc::new(AtomicBool::new(false)),
                progress: Arc::default(),
                turn: Arc::default(),
                ..question.control.clone()
            },
            began: false,
            runs: true,
            ran: Duration::ZERO,
            outcome: None,
        };
        let entrants: Vec<Entrant> = searches.iter().map(entrant).collect();
        let (send, done) = channel();
        Race {
            question,
            started: Instant::now(),
            lanes: lanes(searches, question.jobs),
            entrants,
            send,
            done,
        }
    }

    /// Runs until there is an answer, or all engines have ended: the index of the engine whose answer it is.
    fn run(&mut self) -> Option<usize> {
        self.begin(0);
        let mut alone = true;
        let mut lane = 0;
        let mut slice_ends = Duration::ZERO;
        let mut patience = None;
        loop {
            let now = self.started.elapsed();
            if let Some(answer) = self.final_answer() {
                return Some(answer);
            }
            let ranked = rank(&self.standings());
            let wanted = match ranked {
                Some((first, before)) => {
                    let end = *patience.get_or_insert(now * 2 + PATIENCE);
                    if before.is_empty() || now >= end || self.limit_is_reached(now) {
                        return Some(first);
                    }
                    (1..self.entrants.len()).for_each(|index| self.begin(index));
                    before
                }
                None => (0..self.entrants.len()).collect(),
            };
            if self
                .entrants
                .iter()
                .all(|entrant| entrant.outcome.is_some())
            {
                return None;
            }
            if alone && self.first_was_alone(now) {
                alone = false;
                (1..self.entrants.len()).for_each(|index| self.begin(index));
                slice_ends = now;
            }
            if self.limit_is_reached(now) {
                // Whoever is paused must notice it as well.
                self.entrants
                    .iter_mut()
                    .for_each(|entrant| entrant.set_turn(true));
            } else if !alone || patience.is_some() {
                if now >= slice_ends {
                    lane = self.lane_with_least_time(&wanted);
                    let slice = (now / SLICE_OF_TIME).clamp(SLICE, LONGEST_SLICE);
                    slice_ends = now + slice;
                }
                lane = self.give_turns(lane, &wanted);
            }
            self.show_progress();
            let most = slice_ends.saturating_sub(now);
            let most = if most.is_zero() {
                BETWEEN_LOOKS
            } else {
                most.min(BETWEEN_LOOKS)
            };
            self.wait(most);
        }
    }

    /// Begins the search of an engine, unless it has begun.
    fn begin(&mut self, index: usize) {
        let elapsed = self.started.elapsed();
        let first_is_at_work = self.entrants[0].began && self.entrants[0].outcome.is_none();
        let entrant = &mut self.entrants[index];
        if std::mem::replace(&mut entrant.began, true) {
            return;
        }
        let mut control = entrant.control.after(elapsed);
        if first_is_at_work && index > 0 && self.lanes.len() > 1 {
            control.max_bytes = Some(control.max_bytes.map_or(BESIDE, |most| most / 2));
        }
        let mut search = entrant.search.with_control(control);
        if let Search::States(states) = &mut search {
            // The solver, which has one thread, runs at the same time; for a litmus test it comes late.
            let beside = index > 0 || self.question.program.process;
            states.jobs = states.jobs.saturating_sub(usize::from(beside)).max(1);
        }
        let (program, model) = (self.question.program.clone(), self.question.model);
        let send = self.send.clone();
        std::thread::spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| search.run(&program, model)));
            // Whoever waited may have gone.
            let _ = send.send((index, result));
        });
    }

    /// Whether it is time for the other engines. Litmus tests have few states, so the solver, which is seldom faster there, comes
    /// only after many.
    fn first_was_alone(&self, now: Duration) -> bool {
        let first = &self.entrants[0];
        let is_test = !self.question.program.process;
        let (began, most) = if is_test {
            (self.tier(0) > 0, ALONE_WITH_TEST)
        } else {
            let looks = first.control.turn.looks();
            (looks >= first.search.few_looks(), ALONE_AT_MOST)
        };
        first.outcome.is_some() || now >= most || (began && now >= ALONE)
    }

    /// Whether an engine that is wanted is still at work.
    fn works(&self, index: usize, wanted: &[usize]) -> bool {
        self.entrants[index].outcome.is_none() && wanted.contains(&index)
    }

    /// Of the lanes with engines that are wanted, the one that ran least, and then the first.
    fn lane_with_least_time(&self, wanted: &[usize]) -> usize {
        let lanes = self.lanes.iter().enumerate();
        let working = lanes.filter(|(_, lane)| lane.iter().any(|&index| self.works(index, wanted)));
        let ran = |lane: &[usize]| lane.iter().map(|&index| self.entrants[index].ran).max();
        let least = working.min_by_key(|(_, lane)| ran(lane));
        least.map_or(0, |(lane, _)| lane)
    }

    /// Gives the turn to the engines of a lane that are wanted, or of the next lane with such engines; the lane.
    fn give_turns(&mut self, lane: usize, wanted: &[usize]) -> usize {
        let works = |index: &usize| self.works(*index, wanted);
        let lanes = (0..self.lanes.len()).map(|more| (lane + more) % self.lanes.len());
        let mut lanes = lanes.filter(|&lane| self.lanes[lane].iter().any(works));
        let lane = lanes.next().unwrap_or(lane);
        let running: Vec<usize> = self.lanes[lane].iter().copied().filter(works).collect();
        for (index, entrant) in self.entrants.iter_mut().enumerate() {
            entrant.set_turn(running.contains(&index));
        }
        lane
    }

    /// Waits until an engine ends, or this long.
    fn wait(&mut self, most: Duration) {
        let before = Instant::now();
        let done = self.done.recv_timeout(most);
        let passed = before.elapsed();
        for entrant in &mut self.entrants {
            if entrant.began && entrant.runs && entrant.outcome.is_none() {
                entrant.ran += passed;
            }
        }
        match done {
            Ok((_, Err(panic))) => resume_unwind(panic),
            Ok((index, Ok(result))) => {
                let answers = result
                    .as_ref()
                    .is_ok_and(|result| self.question.is_answer(result));
                let tier = self.tier(index);
                self.entrants[index].outcome = Some(Outcome {
                    result,
                    tier,
                    answers,
                });
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("the race itself can send"),
        }
    }

    fn tier(&self, index: usize) -> u32 {
        let Entrant {
            search, control, ..
        } = &self.entrants[index];
        let work = control.progress.work.load(Ordering::Relaxed);
        tier(search.engine(), self.question.program.process, work)
    }

    fn standings(&self) -> Vec<Standing> {
        let standing = |(index, entrant): (usize, &Entrant)| match &entrant.outcome {
            None => Standing {
                tier: self.tier(index),
                state: State::Working,
            },
            Some(outcome) => Standing {
                tier: outcome.tier,
                state: match outcome.answers {
                    true => State::Answered,
                    false => State::Out,
                },
            },
        };
        self.entrants.iter().enumerate().map(standing).collect()
    }

    /// The engine whose answer counts at once, unless another one has found a violation.
    fn final_answer(&self) -> Option<usize> {
        let answers = |entrant: &Entrant| match &entrant.outcome {
            Some(Outcome {
                result: Ok(result),
                answers: true,
                ..
            }) => Some((self.question.is_final(result), result.verdict)),
            _ => None,
        };
        let found = self.entrants.iter().map(answers);
        let found: Vec<Option<(bool, Verdict)>> = found.collect();
        let violated = |found: &Option<(bool, Verdict)>| {
            found.is_some_and(|(_, verdict)| verdict == Verdict::Violated)
        };
        if found.iter().any(violated) {
            return None;
        }
        found
            .iter()
            .position(|found| found.is_some_and(|(last, _)| last))
    }

    /// Passes the user's wish to stop on; whether it, or the end of the time, has come.
    fn limit_is_reached(&self, now: Duration) -> bool {
        let control = self.question.control;
        let interrupted = control.is_interrupted();
        if interrupted {
            self.interrupt();
        }
        interrupted || control.max_time.is_some_and(|most| now >= most)
    }

    fn interrupt(&self) {
        for entrant in &self.entrants {
            entrant.control.interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// Ends all engines that are still at work.
    fn end(&mut self) {
        self.interrupt();
        self.entrants
            .iter_mut()
            .for_each(|entrant| entrant.set_turn(true));
    }

    /// Shows how far the first engine is that is still at work.
    fn show_progress(&self) {
        let shown = &self.question.control.progress;
        let working = self
            .entrants
            .iter()
            .find(|entrant| entrant.outcome.is_none());
        let Some(entrant) = working else {
            return;
        };
        let Progress {
            states,
            depth,
            executions,
            work: _,
        } = &*entrant.control.progress;
        for (from, to) in [
            (states, &shown.states),
            (depth, &shown.depth),
            (executions, &shown.executions),
        ] {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// The result, with what each engine did if it was not the first one alone.
    fn result(mut self, answer: Option<usize>) -> Result<ModelResult, Refused> {
        let Some(decided) = answer.or_else(|| self.furthest()) else {
            return Err(self.refusal());
        };
        let parts: Vec<Part> = (0..self.entrants.len())
            .filter_map(|index| self.entrants[index].part(answer == Some(index)))
            .collect();
        let outcome = self.entrants[decided].outcome.take();
        let Some(Outcome { result, .. }) = outcome else {
            unreachable!("an engine that decides has ended");
        };
        let mut result = result?;
        for entrant in &self.entrants {
            let other = entrant
                .outcome
                .as_ref()
                .and_then(|o| o.result.as_ref().ok());
            result.warnings.extend(other.into_iter().flat_map(mistakes));
        }
        let alone = matches!(parts[..], [_]);
        result.portfolio = if alone { Vec::new() } else { parts };
        Ok(result)
    }

    /// The engine whose result is shown if none has an answer. One that found something wrong, though not all
    /// that was asked for, is the first choice; one whose executions do not end, or that made a mistake, the last.
    fn furthest(&self) -> Option<usize> {
        let own_way = |bound: &Bound| bound.is_mistake() || matches!(bound, Bound::Events(_));
        let results = self.entrants.iter().enumerate();
        let results = results.filter_map(|(index, entrant)| {
            let result = entrant.outcome.as_ref()?.result.as_ref().ok()?;
            // "Holds" of an engine that may have missed something is no answer.
            let partial = result.verdict == Verdict::Holds;
            let in_its_way = result.bounds.iter().any(own_way);
            Some((
                result.verdict != Verdict::Violated,
                partial,
                in_its_way,
                index,
            ))
        });
        results.min().map(|(.., index)| index)
    }

    /// Why no engine takes the program. What stands in the way of the search of states says most.
    fn refusal(self) -> Refused {
        let refusal =
            |entrant: Entrant| Some((entrant.search.engine(), entrant.outcome?.result.err()?));
        let mut refusals: Vec<(Engine, Refused)> =
            self.entrants.into_iter().filter_map(refusal).collect();
        let states = refusals
            .iter()
            .position(|(engine, _)| *engine == Engine::States);
        refusals.swap_remove(states.unwrap_or(0)).1
    }
}

impl Entrant {
    fn set_turn(&mut self, runs: bool) {
        if std::mem::replace(&mut self.runs, runs) != runs {
            match runs {
                true => self.control.turn.resume(),
                false => self.control.turn.pause(),
            }
        }
    }

    /// What the engine did, if it has begun.
    fn part(&self, decided: bool) -> Option<Part> {
        let counts = |result: &ModelResult| result.counts;
        let loops = match self.outcome.as_ref().map(|o| &o.result) {
            Some(Ok(result)) => result.own_open_loops(),
            Some(Err(_)) | None => Vec::new(),
        };
        let (did, counts): (Did, Counts) = match self.outcome.as_ref().map(|o| &o.result) {
            _ if !self.began => return None,
            Some(Ok(result)) if decided => (Did::Decided, counts(result)),
            Some(Ok(result)) => {
                let ended = Did::Ended {
                    verdict: result.verdict,
                    covers: result.covers(),
                };
                (ended, counts(result))
            }
            Some(Err(refused)) => (Did::Refused(refused.to_string()), Counts::default()),
            None => (Did::Stopped, guard::seen(&self.control.progress)),
        };
        Some(Part {
            engine: self.search.engine(),
            did,
            counts,
            time: self.ran,
            loops,
        })
    }
}

/// Engines that run at the same time, by their indices.
fn lanes(searches: &[Search], jobs: usize) -> Vec<Vec<usize>> {
    let all = 0..searches.len();
    match searches {
        _ if jobs <= 1 => all.map(|index| vec![index]).collect(),
        [Search::Explore(_), ..] => vec![vec![0], (1..searches.len()).collect()],
        _ => vec![all.collect()],
    }
}

/// What an engine whose answer is not used has to say of mistakes of ours.
fn mistakes(result: &ModelResult) -> Vec<Warning> {
    let Some(bound) = result.bounds.iter().find(|bound| bound.is_mistake()) else {
        return Vec::new();
    };
    let covered = Warning {
        span: Span::NOWHERE,
        message: format!("the engine {} covered {bound}", result.engine),
    };
    let unconfirmed = result
        .warnings
        .iter()
        .filter(|_| *bound == Bound::Unconfirmed);
    unconfirmed.cloned().chain([covered]).collect()
}
