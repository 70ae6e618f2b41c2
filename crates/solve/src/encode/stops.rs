//! Where threads stop.
//!
//! A model of the formula is an execution *prefix*: what each thread does up to a point, with the
//! memory order of that. A thread stops early
//!
//! - where it **goes wrong**. Nothing comes after that, so what is wrong cannot cause itself on
//!   Relaxed, where stores need not wait for the loads that they are computed from;
//! - where an **assumption** fails, a lock is held, a joined thread has not ended, or a loop
//!   would go **beyond its bound**: there guards end ([`crate::unroll`]), no stop is needed;
//! - after a **silent iteration** of a loop (`unroll/iterations.rs`), where it waits;
//! - before an **atomic section** that it could not leave: one step is made as a whole or not at
//!   all, unless something goes wrong in it.
//!
//! *Every model is the prefix of an execution* (so a violation is one): all rules for the memory
//! order speak of pairs of accesses of which the later one is executed, so threads can go on by
//! accesses that come last in memory order, whatever the model.
//!
//! *Every execution that goes wrong has a model* (so none is missed): drop its silent
//! iterations, each of which leaves an execution that is the same for everything else; then let
//! the threads that do not go wrong continue, each access last in memory order, until each
//! is at one of the points above. It does not matter whether they could go on, or end.
//!
//! Executions that *end* ([`Encoding::complete`](super::Encoding)) are those in which no thread
//! stops early.

use super::Encoder;
use super::wrong::WrongLiteral;
use crate::sat::Lit;
use crate::unroll::{self, FINALLY, FenceAt, Silent, Unrolled, When};
use program::{Address, Word};

/// A point at which a thread may stop, by its index in the unrolled program.
#[derive(Clone, Copy)]
enum Point {
    Wrong(usize),
    Silent(usize),
    Section(usize),
}

/// Where each thread may stop.
#[derive(Default)]
pub struct Stops {
    /// The points of each thread with their positions, in program order.
    points: Vec<Vec<(u32, Point)>>,
    /// How many of those have been looked at.
    done: Vec<usize>,
    /// Whether one of them is being looked at.
    looking: Vec<bool>,
    /// Whether its end is being looked at.
    asked: Vec<bool>,
    /// Positions at which a thread may stop, each with that it has stopped there or before.
    stops: Vec<Vec<(u32, Lit)>>,
    /// The fence at which each thread starts: its thread and position.
    starts: Vec<Option<When>>,
    found: Vec<WrongLiteral>,
    /// That a thread stops without anything being wrong.
    early: Vec<Lit>,
    /// Silent iterations whose literal is free so far.
    open: Vec<(Lit, usize)>,
    /// Threads with a literal, free so far, for that they have ended.
    ending: Vec<(Lit, usize)>,
}

impl Stops {
    /// Nothing looked at yet.
    pub fn new(unrolled: &Unrolled) -> Self {
        let threads = unrolled.threads.len();
        let mut points = vec![Vec::new(); threads];
        let mut add = |thread: usize, position, point| {
            if thread != FINALLY {
                points[thread].push((position, point));
            }
        };
        for (index, wrong) in unrolled.wrongs.iter().enumerate() {
            add(wrong.thread, wrong.position, Point::Wrong(index));
        }
        for (index, silent) in unrolled.silent.iter().enumerate() {
            let When { thread, position } = silent.when;
            add(thread, position, Point::Silent(index));
        }
        for (index, section) in unrolled.sections.iter().enumerate() {
            if section.may_stay {
                let When { thread, position } = section.begin;
                add(thread, position, Point::Section(index));
            }
        }
        for points in &mut points {
            points.sort_by_key(|&(position, _)| position);
        }
        let mut starts = vec![None; threads];
        for fence in &unrolled.fences {
            if let FenceAt::Start(started) = fence.at {
                starts[started] = Some(When {
                    thread: fence.thread,
                    position: fence.position,
                });
            }
        }
        Stops {
            points,
            done: vec![0; threads],
            looking: vec![false; threads],
            asked: vec![false; threads],
            stops: vec![Vec::new(); threads],
            starts,
            ..Stops::default()
        }
    }
}

impl Encoder<'_> {
    /// That a thread has stopped before it comes there, or the thread that starts it has.
    pub fn stopped(&mut self, when: When) -> Lit {
        if when.thread == FINALLY {
            let threads = 0..self.unrolled.threads.len();
            let position = u32::MAX;
            let all: Vec<Lit> = threads
                .map(|thread| self.stopped(When { thread, position }))
                .collect();
            return self.gates.any(&all);
        }
        while let Some(&(position, point)) =
            self.stops.points[when.thread].get(self.stops.done[when.thread])
            && position < when.position
        {
            let thread = when.thread;
            self.stops.looking[thread] = true;
            self.look_at(When { thread, position }, point);
            self.stops.looking[thread] = false;
            self.stops.done[thread] += 1;
        }
        let mine = self.stops.stops[when.thread].iter();
        let mine = mine.rev().find(|(position, _)| *position < when.position);
        let mine = mine.map_or(Lit::FALSE, |&(_, stopped)| stopped);
        let before = match self.stops.starts[when.thread] {
            Some(start) => self.stopped(start),
            None => Lit::FALSE,
        };
        self.gates.or(mine, before)
    }

    /// That a thread has come to its end.
    pub fn has_ended(&mut self, thread: usize) -> Lit {
        if self.stops.looking[thread] || self.stops.asked[thread] {
            // Threads that join each other: the memory order keeps them from ending.
            let ends = self.gates.solver.variable();
            self.stops.ending.push((ends, thread));
            return ends;
        }
        self.stops.asked[thread] = true;
        let ended = self.guard(self.unrolled.threads[thread].ended);
        let position = u32::MAX;
        let stopped = self.stopped(When { thread, position });
        self.stops.asked[thread] = false;
        self.gates.and(ended, !stopped)
    }

    /// True if what a silent iteration wrote cannot be read later, by other threads or
    /// through pointers whose value is not known: addresses may escape.
    fn unobserved(&self, silent: &Silent) -> bool {
        let object = |address: Word| address >> Address::OFFSET_BITS;
        let mut events = self.unrolled.events.iter().enumerate();
        !events.any(|(index, event)| {
            let addresses = &self.locations.addresses[index];
            let bytes = event.width.bytes();
            let written = silent.written.iter().filter(|written| !written.published);
            written.into_iter().any(|&written| {
                let touched = |&at: &Word| match written.private {
                    true => object(at) == object(written.address),
                    false => unroll::overlaps(at, bytes, written),
                };
                if event.thread == silent.when.thread {
                    let unknown = self.unrolled.terms.known(event.address).is_none();
                    index >= silent.next && event.loads && unknown && addresses.iter().any(touched)
                } else {
                    written.private && addresses.iter().any(touched)
                }
            })
        })
    }

    fn look_at(&mut self, when: When, point: Point) {
        let now = match point {
            Point::Wrong(index) => self.goes_wrong(index),
            Point::Silent(index) => self.waits(index),
            Point::Section(index) => self.stays_out(index),
        };
        if now != Lit::FALSE {
            let stops = &self.stops.stops[when.thread];
            let before = stops.last().map_or(Lit::FALSE, |&(_, stopped)| stopped);
            let stopped = self.gates.or(before, now);
            self.stops.stops[when.thread].push((when.position, stopped));
        }
    }

    fn goes_wrong(&mut self, index: usize) -> Lit {
        let wrong = self.unrolled.wrongs[index].clone();
        let there = self.guard(wrong.guard);
        let cases = match there {
            Lit::FALSE => Vec::new(),
            _ => self.failures(&wrong.what),
        };
        let before = self.stopped(When {
            thread: wrong.thread,
            position: wrong.position,
        });
        let mut now = Vec::new();
        for (when, fault) in cases {
            let literal = self.gates.all(&[there, when, !before]);
            if literal != Lit::FALSE {
                now.push(literal);
                self.stops.found.push(WrongLiteral {
                    literal,
                    wrong: index,
                    fault,
                });
            }
        }
        self.gates.any(&now)
    }

    /// That a thread waits after an iteration that was silent.
    fn waits(&mut self, index: usize) -> Lit {
        let silent = self.unrolled.silent[index].clone();
        if !self.unobserved(&silent) {
            return Lit::FALSE;
        }
        let there = self.guard(silent.there);
        if there == Lit::FALSE {
            return Lit::FALSE;
        }
        let stops = match silent.written.is_empty() {
            true => {
                let before = self.stopped(silent.when);
                let silent = self.is_silent(index);
                self.gates.and(silent, !before)
            }
            // What comes later decides whether it is silent, and later accesses hang on
            // whether it stops here; so the clauses have to wait.
            false => {
                let stops = self.gates.solver.variable();
                self.gates.solver.clause(&[!stops, there]);
                self.stops.open.push((stops, index));
                stops
            }
        };
        if stops != Lit::FALSE {
            self.stops.early.push(stops);
        }
        stops
    }

    fn is_silent(&mut self, index: usize) -> Lit {
        let silent = self.unrolled.silent[index].clone();
        let mut all = vec![self.guard(silent.guard)];
        for (before, now) in silent.compared {
            let [before, now] =
                [before, now].map(|term| match self.ranges.of(term).may_be_undefined() {
                    true => self.word(term).undefined,
                    false => Lit::FALSE,
                });
            all.push(self.gates.or(before, !now));
        }
        self.gates.all(&all)
    }

    /// That a thread stops before an atomic section.
    fn stays_out(&mut self, index: usize) -> Lit {
        let there = self.guard(self.unrolled.sections[index].guard);
        let stops = self.gates.solver.variable();
        self.gates.solver.clause(&[!stops, there]);
        self.stops.early.push(stops);
        stops
    }

    /// All that may go wrong, after everything else that may stop a thread has been looked at.
    pub fn wrongs(&mut self) -> Vec<WrongLiteral> {
        self.stopped(When {
            thread: FINALLY,
            position: 0,
        });
        for (stops, index) in std::mem::take(&mut self.stops.open) {
            let before = self.stopped(self.unrolled.silent[index].when);
            let silent = self.is_silent(index);
            self.gates.solver.clause(&[!silent, before, stops]);
        }
        for (ends, thread) in std::mem::take(&mut self.stops.ending) {
            let ended = self.has_ended(thread);
            self.gates.solver.clause(&[!ends, ended]);
            self.gates.solver.clause(&[ends, !ended]);
        }
        std::mem::take(&mut self.stops.found)
    }

    /// That a thread stops though nothing is wrong there.
    pub fn stops_early(&mut self) -> Lit {
        let early = self.stops.early.clone();
        self.gates.any(&early)
    }

    /// Sees to it that a thread leaves every section that it enters, unless something is wrong
    /// there; that a loop in one goes beyond its bound: then nothing else counts as wrong.
    pub fn sections(&mut self, wrongs: &[WrongLiteral], excesses: &[Lit]) -> Lit {
        let mut cut = Vec::new();
        for section in self.unrolled.sections.clone() {
            if !section.may_stay {
                continue;
            }
            let When { thread, position } = section.begin;
            let begins = self.guard(section.guard);
            let stopped = self.stopped(When {
                thread,
                position: position + 1,
            });
            let begins = self.gates.and(begins, !stopped);
            let mut leaves = Vec::new();
            for (guard, when) in section.ends {
                let there = self.guard(guard);
                let stopped = self.stopped(when);
                leaves.push(self.gates.and(there, !stopped));
            }
            let leaves = self.gates.any(&leaves);
            let stays = self.gates.and(begins, !leaves);
            // The thread has not left: whatever is later in it is in the section.
            let failing = wrongs.iter().filter(|wrong| {
                let wrong = &self.unrolled.wrongs[wrong.wrong];
                wrong.thread == thread && wrong.position > position
            });
            let failing: Vec<Lit> = failing.map(|wrong| wrong.literal).collect();
            let fails = self.gates.any(&failing);
            let goes_on = (0..excesses.len()).filter(|&index| {
                let when = self.unrolled.excesses[index].when;
                when.thread == thread && when.position > position
            });
            let goes_on: Vec<Lit> = goes_on.map(|index| excesses[index]).collect();
            let goes_on = self.gates.any(&goes_on);
            self.gates.solver.clause(&[!stays, fails, goes_on]);
            cut.push(self.gates.all(&[stays, goes_on, !fails]));
        }
        self.gates.any(&cut)
    }
}
