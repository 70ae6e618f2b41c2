//! The same execution in an order that is easier to read: with fewest context switches, then with fewest delayed stores, and
//! without what the violation does not depend on.
//!
//! An execution is one order of a partial order: the transitions of a thread, and those that touch the same bytes, one of them
//! to write, keep their order (a Mazurkiewicz trace). In every order of it each load reads what it read, so the violation
//! is the same. A store may leave its buffer as soon as nothing forbids it, also where it left later before.
//!
//! **Search.** A *block* is a stretch of one thread, with flushes of its stores. A longer block never hurts: what is done does not stop
//! anything else from being done. So blocks are as long as possible, and the search, breadth first over
//! blocks, meets a way with fewest of them first. Flushes come as early as they can in a block.
//!
//! **Not guaranteed.** (1) [`WIDEST`] states are kept for each number of blocks, those with most done, so that there may be a better order; effort
//! is counted, not timed, so the order is always the same. (2) Dependences are those of the acts of a step, which is
//! more than a trace has. (3) Nothing is believed: the new order is replayed, and the execution stays as it
//! was if that does not reach the violation.

use super::acts::{ActKind, Bytes};
use super::{End, Image, Limits, Process, Transition, replay};
use crate::Replayed;
use answer::Violation;
use program::ThreadId;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

/// Transitions of an execution at most.
const MOST_TRANSITIONS: usize = 3_000;
/// States that are kept for each number of blocks.
const WIDEST: usize = 48;

/// An execution that shows the same violation and is easier to read, if there is one. The execution is that of a
/// machine that builds traces ([`Limits::traced`]).
pub fn simplified<'a>(
    image: &'a Image,
    limits: &'a Limits,
    violation: &Violation,
    path: impl FnMut(&mut Process<'a>) -> Option<Transition>,
) -> Option<Replayed> {
    let recorded = record(image, limits, violation, path)?;
    let parts = match recorded.failing {
        Some(failing) => vec![recorded.past(failing), recorded.all()],
        None => vec![recorded.all()],
    };
    for part in parts {
        let order = recorded.ordered(&part)?;
        if !recorded.is_better(&order) {
            continue;
        }
        let mut order = order.into_iter();
        let next = |process: &mut Process<'a>| {
            let event = &recorded.events[order.next()?];
            Some(event.transition(process))
        };
        if let Ok(replayed) = replay(image, limits, violation, next) {
            return Some(replayed);
        }
    }
    None
}

/// A transition, and what it did that others could notice.
struct Event {
    thread: ThreadId,
    kind: EventKind,
    touched: Vec<(Bytes, bool)>,
    /// Stores that it put into the store buffer.
    issued: Vec<u32>,
    links: Vec<ActKind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EventKind {
    /// The thread goes on in the way of this number.
    Run(u32),
    /// Its store of this number is flushed.
    Flush(u32),
}

impl Event {
    /// The transition, in the state before it. That of a store which is not in its buffer is never possible.
    fn transition(&self, process: &Process<'_>) -> Transition {
        match self.kind {
            EventKind::Run(choice) => Transition::Run(self.thread, choice),
            EventKind::Flush(number) => {
                let entry = process.commit_of(self.thread, number);
                Transition::Commit(self.thread, entry.unwrap_or(u32::MAX))
            }
        }
    }

    fn flushes(&self) -> bool {
        matches!(self.kind, EventKind::Flush(_))
    }

    fn conflicts(&self, other: &Event) -> bool {
        let overlap = |(a, writes): &(Bytes, bool), (b, also): &(Bytes, bool)| {
            (*writes || *also)
                && a.address < b.address + u64::from(b.size)
                && b.address < a.address + u64::from(a.size)
        };
        let mut pairs = self
            .touched
            .iter()
            .flat_map(|a| other.touched.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| overlap(a, b))
    }

    /// True if it has to stay before a later transition.
    fn precedes(&self, later: &Event, stores_pass: bool) -> bool {
        if self.thread == later.thread {
            return match (self.kind, later.kind) {
                (EventKind::Run(_), EventKind::Flush(store)) => self.issued.contains(&store),
                // In the order in which they were issued; otherwise they may as well return to it.
                (EventKind::Flush(first), EventKind::Flush(second)) => {
                    first < second || !stores_pass || self.conflicts(later)
                }
                (_, EventKind::Run(_)) => true,
            };
        }
        let concerns = |links: &[ActKind], thread: ThreadId| {
            links.iter().any(|link| {
                matches!(link, ActKind::Start(other) | ActKind::Join(other) | ActKind::Wake(other) if *other == thread)
            })
        };
        self.conflicts(later)
            || concerns(&self.links, later.thread)
            || concerns(&later.links, self.thread)
    }
}

/// An execution as transitions, with what each has to stay behind.
struct Recorded {
    events: Vec<Event>,
    /// For each event those before it that have to stay before it.
    before: Vec<Vec<usize>>,
    /// The event with which the violation is there, if it is that of one thread.
    failing: Option<usize>,
}

fn record<'a>(
    image: &'a Image,
    limits: &'a Limits,
    violation: &Violation,
    mut path: impl FnMut(&mut Process<'a>) -> Option<Transition>,
) -> Option<Recorded> {
    if !limits.traced {
        return None;
    }
    let mut process = Process::new(image, limits, false, false);
    let fails = |end: &End| match (violation, end) {
        (Violation::Fault { thread, span, .. }, End::Fault(failing, at, _)) => {
            (thread, span) == (failing, at)
        }
        _ => false,
    };
    let mut events: Vec<Event> = Vec::new();
    let mut failing = None;
    process.forget_acts();
    loop {
        let ends = std::iter::from_fn(|| process.take_end());
        if ends.filter(fails).count() > 0 && failing.is_none() {
            failing = events.len().checked_sub(1);
        }
        let Some(transition) = path(&mut process) else {
            break;
        };
        if events.len() == MOST_TRANSITIONS || !process.transitions().contains(&transition) {
            return None;
        }
        process.perform(transition);
        let mut event = match transition {
            Transition::Run(thread, choice) => Event::new(thread, EventKind::Run(choice)),
            Transition::Commit(thread, _) => Event::new(thread, EventKind::Flush(u32::MAX)),
        };
        for act in process.take_acts() {
            event.add(act.kind);
        }
        if event.kind == EventKind::Flush(u32::MAX) {
            return None;
        }
        events.push(event);
    }
    if process.end().is_some_and(fails) && failing.is_none() {
        failing = events.len().checked_sub(1);
    }
    let stores_pass = image.buffering() == ::memory::Buffering::PerLocation;
    let before = (0..events.len()).map(|later| {
        let earlier = 0..later;
        let stays = |earlier: &usize| events[*earlier].precedes(&events[later], stores_pass);
        earlier.filter(stays).collect()
    });
    Some(Recorded {
        before: before.collect(),
        events,
        failing,
    })
}

impl Event {
    fn new(thread: ThreadId, kind: EventKind) -> Self {
        Event {
            thread,
            kind,
            touched: Vec::new(),
            issued: Vec::new(),
            links: Vec::new(),
        }
    }

    fn add(&mut self, act: ActKind) {
        match act {
            ActKind::Read(bytes, _) | ActKind::Look(bytes, _) | ActKind::Pass(bytes) => {
                self.touched.push((bytes, false));
            }
            ActKind::Write(bytes)
            | ActKind::Store(bytes)
            | ActKind::Prepare(bytes)
            | ActKind::Accumulate(bytes, _)
            | ActKind::Change(bytes) => self.touched.push((bytes, true)),
            ActKind::Buffer(_, number) => self.issued.push(number),
            ActKind::Commit(bytes, number)
            | ActKind::Lapse(bytes, number)
            | ActKind::Stray(bytes, number) => {
                self.touched.push((bytes, true));
                if self.flushes() {
                    self.kind = EventKind::Flush(number);
                }
            }
            ActKind::Start(_) | ActKind::Join(_) | ActKind::Wake(_) => self.links.push(act),
            ActKind::AfterFence | ActKind::Fence(_) | ActKind::Drain | ActKind::Settle(_) => {}
        }
    }
}

/// A way to do some of the events.
#[derive(Clone)]
struct Way {
    order: Vec<usize>,
    done: Vec<bool>,
    /// How many of the events before each are not done yet.
    missing: Vec<u32>,
    /// Events that can come next: the thread, whether it is a step rather than a flush, and the event.
    ready: BTreeSet<(ThreadId, bool, usize)>,
    last: Option<ThreadId>,
    delayed: usize,
}

impl Recorded {
    fn all(&self) -> Vec<usize> {
        (0..self.events.len()).collect()
    }

    /// What has to come before an event, and the event.
    fn past(&self, event: usize) -> Vec<usize> {
        let mut needed = vec![false; self.events.len()];
        needed[event] = true;
        for event in (0..=event).rev() {
            if needed[event] {
                self.before[event]
                    .iter()
                    .for_each(|before| needed[*before] = true);
            }
        }
        (0..self.events.len())
            .filter(|event| needed[*event])
            .collect()
    }

    /// These events in the order that is best to read.
    fn ordered(&self, part: &[usize]) -> Option<Vec<usize>> {
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); self.events.len()];
        for &event in part {
            for before in &self.before[event] {
                after[*before].push(event);
            }
        }
        let mut threads: Vec<ThreadId> = part.iter().map(|e| self.events[*e].thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let mut ways = vec![self.nothing_done(part)];
        // Each block does something.
        for _ in 0..=part.len() {
            let whole = ways.iter().filter(|way| way.order.len() == part.len());
            if let Some(best) = whole.min_by_key(|way| way.delayed) {
                return Some(best.order.clone());
            }
            let mut seen = HashSet::new();
            let mut next: Vec<Way> = Vec::new();
            for way in &ways {
                for thread in threads.iter().filter(|thread| way.last != Some(**thread)) {
                    let mut longer = way.clone();
                    self.run_block(&mut longer, *thread, &after);
                    if longer.order.len() > way.order.len()
                        && seen.insert((longer.done.clone(), longer.last))
                    {
                        next.push(longer);
                    }
                }
            }
            // Stable, so that equals stay in their order.
            next.sort_by_key(|way| (Reverse(way.order.len()), way.delayed));
            next.truncate(WIDEST);
            ways = next;
        }
        None
    }

    fn nothing_done(&self, part: &[usize]) -> Way {
        let missing: Vec<u32> = self.before.iter().map(|b| b.len() as u32).collect();
        let ready = part.iter().filter(|event| missing[**event] == 0);
        Way {
            order: Vec::new(),
            done: vec![false; self.events.len()],
            ready: ready.map(|event| self.ready(*event)).collect(),
            missing,
            last: None,
            delayed: 0,
        }
    }

    fn ready(&self, event: usize) -> (ThreadId, bool, usize) {
        let (thread, flushes) = (self.events[event].thread, self.events[event].flushes());
        (thread, !flushes, event)
    }

    /// All that one thread can do now, flushes first.
    fn run_block(&self, way: &mut Way, thread: ThreadId, after: &[Vec<usize>]) {
        way.last = Some(thread);
        loop {
            let mut own = way
                .ready
                .range((thread, false, 0)..(thread, true, usize::MAX));
            let Some(&next) = own.next() else {
                return;
            };
            way.ready.remove(&next);
            let (.., event) = next;
            way.delayed += usize::from(self.is_delayed(event, way.order.last()));
            way.done[event] = true;
            way.order.push(event);
            for later in &after[event] {
                way.missing[*later] -= 1;
                if way.missing[*later] == 0 {
                    way.ready.insert(self.ready(*later));
                }
            }
        }
    }

    /// True for a flush that does not follow its store at once.
    fn is_delayed(&self, event: usize, last: Option<&usize>) -> bool {
        let EventKind::Flush(number) = self.events[event].kind else {
            return false;
        };
        let thread = self.events[event].thread;
        let issues = |last: &usize| {
            let last = &self.events[*last];
            last.thread == thread && last.issued.contains(&number)
        };
        !last.is_some_and(issues)
    }

    /// True if an order has fewer context switches than the one that was recorded, or as many and fewer delayed stores, or fewer events.
    fn is_better(&self, order: &[usize]) -> bool {
        self.cost(order) < self.cost(&self.all())
    }

    fn cost(&self, order: &[usize]) -> (usize, usize, usize) {
        let pairs = order.iter().zip(order.iter().skip(1));
        let switches = pairs.filter(|(a, b)| self.events[**a].thread != self.events[**b].thread);
        let before = std::iter::once(None).chain(order.iter().map(Some));
        let delayed = order.iter().zip(before);
        let delayed = delayed.filter(|(event, before)| self.is_delayed(**event, *before));
        (switches.count(), delayed.count(), order.len())
    }
}
