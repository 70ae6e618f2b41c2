//! The memory order: one node for each step, and the edges that a model asks for.
//!
//! The rules are those of the model table (`memory`): what the model keeps, fences, accesses
//! of one place of which the later stores, and dependences. An edge that hangs on an event
//! being executed is guarded by the event that it leads *to*; that is enough, because nothing
//! then leads to an event that is not executed.
//!
//! Beside the edges, [`Before`] is what is known without solving: that one event comes before
//! another whenever both are executed.

use super::Encoder;
use super::places::Places;
use super::words::literal;
use crate::guard::Guard;
use crate::sat::{Lit, Node};
use crate::term::TermId;
use crate::unroll::{self, Event, FINALLY, Fence, FenceAt, Unrolled};
use memory::Model;
use program::{AccessKind, Orderings};
use rustc_hash::FxHashMap;

const LOAD: usize = 0;
const STORE: usize = 1;
const KINDS: [AccessKind; 2] = [AccessKind::LOAD, AccessKind::STORE];

/// Which events surely come before which, if both are executed: rows of bits.
pub struct Before {
    rows: Vec<Vec<u64>>,
}

impl Before {
    fn new(events: usize) -> Self {
        Before {
            rows: vec![vec![0; events.div_ceil(64)]; events],
        }
    }

    fn set(&mut self, a: usize, b: usize) {
        self.rows[a][b / 64] |= 1 << (b % 64);
    }

    /// True if the first surely comes before the second.
    pub fn get(&self, a: usize, b: usize) -> bool {
        self.rows[a][b / 64] >> (b % 64) & 1 == 1
    }

    /// Works out what is surely ordered.
    pub fn find(unrolled: &mut Unrolled, model: Model, places: &Places) -> Before {
        let Unrolled {
            terms,
            events,
            fences,
            ..
        } = unrolled;
        let mut before = Before::new(events.len());
        let mut known: FxHashMap<(Guard, Guard), bool> = FxHashMap::default();
        let mut implies = |a: Guard, b: Guard| {
            let guards = &mut terms.guards;
            *known.entry((a, b)).or_insert_with(|| guards.implies(a, b))
        };
        for (y, second) in events.iter().enumerate() {
            for (x, first) in events[..y].iter().enumerate() {
                if second.thread == FINALLY && first.thread != FINALLY {
                    before.set(x, y);
                }
                if first.thread != second.thread {
                    continue;
                }
                let (a, b) = (sure_kind(model, first), sure_kind(model, second));
                let same_place = || {
                    let (p, q) = (places.of_event[x].start, places.of_event[y].start);
                    b.store && places.parts[p].must_touch(&places.parts[q])
                };
                let mut depends = second.depends.iter();
                let ordered = first.step == second.step
                    || model.row().keeps.orders(a, b)
                    || same_place()
                    || depends.any(|&(e, when)| e.index() == x && implies(second.guard, when))
                    || fences.iter().any(|fence| {
                        fence.thread == first.thread
                            && first.position < fence.position
                            && fence.position < second.position
                            && fence.orders.orders(a, b)
                            && (implies(first.guard, fence.guard)
                                || implies(second.guard, fence.guard))
                    });
                if ordered {
                    before.set(x, y);
                }
            }
        }
        for fence in fences.iter() {
            let FenceAt::Start(started) = fence.at else {
                continue;
            };
            for (x, first) in events.iter().enumerate() {
                if first.thread != fence.thread || first.position > fence.position {
                    continue;
                }
                for (y, second) in events.iter().enumerate() {
                    if second.thread == started {
                        before.set(x, y);
                    }
                }
            }
        }
        before.close(events, &mut implies);
        before
    }

    /// What comes before something that surely comes before a third, comes before that; if
    /// the one in between is executed.
    fn close(&mut self, events: &[Event], implies: &mut impl FnMut(Guard, Guard) -> bool) {
        for (z, between) in events.iter().enumerate() {
            let mut with = vec![0u64; self.rows[z].len()];
            for (y, event) in events.iter().enumerate() {
                if implies(event.guard, between.guard) {
                    with[y / 64] |= 1 << (y % 64);
                }
            }
            let row = self.rows[z].clone();
            for (x, event) in events.iter().enumerate() {
                if !self.get(x, z) {
                    continue;
                }
                let executed = implies(event.guard, between.guard);
                for (word, (&more, &with)) in self.rows[x].iter_mut().zip(row.iter().zip(&with)) {
                    *word |= if executed { more } else { more & with };
                }
            }
        }
    }
}

/// The kinds of an event for sure, whatever it finds.
fn sure_kind(model: Model, event: &Event) -> AccessKind {
    let store = event.stored.is_some_and(|stored| {
        // The table's models order an exchange that fails like one that does not.
        model.row().dependences || stored.guard == event.guard
    });
    AccessKind {
        load: event.loads,
        store,
    }
}

impl Encoder<'_> {
    /// Makes the nodes and edges of the memory order.
    pub fn order(&mut self) {
        let mut nodes: FxHashMap<u32, Node> = FxHashMap::default();
        for (event, &private) in self.unrolled.events.iter().zip(&self.private) {
            let solver = &mut self.gates.solver;
            let mut node = || *nodes.entry(event.step).or_insert_with(|| solver.node());
            self.nodes.push((!private).then(node));
        }
        let threads = self.unrolled.threads.len();
        for thread in (0..threads).chain([FINALLY]) {
            let events: Vec<usize> = (0..self.unrolled.events.len())
                .filter(|&event| self.unrolled.events[event].thread == thread)
                .filter(|&event| !self.private[event])
                .collect();
            self.kept(&events);
            self.same_place(&events);
            self.dependences(&events);
        }
        self.fences();
        self.finally();
    }

    fn edge(&mut self, a: usize, b: usize, when: &[Lit]) {
        if let (Some(from), Some(to)) = (self.nodes[a], self.nodes[b])
            && from != to
        {
            self.gates.solver.edge(from, to, when);
        }
    }

    /// Whether the event loads and stores, as literals.
    fn kinds(&mut self, event: usize) -> [Lit; 2] {
        let executed = self.executed(event);
        let of = &self.unrolled.events[event];
        let loads = if of.loads { executed } else { Lit::FALSE };
        let stores = match of.stored {
            None => Lit::FALSE,
            Some(_) if self.model.row().dependences => executed,
            Some(_) => self.stores(event),
        };
        [loads, stores]
    }

    /// What the model keeps in program order.
    fn kept(&mut self, events: &[usize]) {
        let keeps = self.model.row().keeps;
        if keeps.is_empty() {
            return;
        }
        for (index, &x) in events.iter().enumerate() {
            let mine = kind(&self.unrolled.events[x]);
            // The kinds of later accesses that are not yet behind something that keeps them.
            let mut open = KINDS.map(|later| keeps.orders(mine, later));
            for &y in &events[index + 1..] {
                if open == [false, false] {
                    break;
                }
                let later = self.kinds(y);
                let ordered = [LOAD, STORE].map(|k| open[k] && later[k] != Lit::FALSE);
                if ordered == [false, false] {
                    continue;
                }
                let executed = self.executed(y);
                self.edge(x, y, &[executed]);
                if self.surely(x, y) {
                    let relay = kind(&self.unrolled.events[y]);
                    for k in [LOAD, STORE] {
                        open[k] &= !keeps.orders(relay, KINDS[k]);
                    }
                }
            }
        }
    }

    /// True if the second event is executed whenever the first is.
    fn surely(&mut self, x: usize, y: usize) -> bool {
        let (a, b) = (self.unrolled.events[x].guard, self.unrolled.events[y].guard);
        self.implies(a, b)
    }

    /// Accesses of one place, of which the later one stores.
    fn same_place(&mut self, events: &[usize]) {
        for (index, &y) in events.iter().enumerate() {
            if self.unrolled.events[y].stored.is_none() {
                continue;
            }
            for &x in &events[..index] {
                let kept = {
                    let events = &self.unrolled.events;
                    let keeps = self.model.row().keeps;
                    keeps.orders(kind(&events[x]), AccessKind::STORE)
                };
                if kept || !self.may_touch(x, y) {
                    continue;
                }
                let same = self.touch(x, y);
                let stores = self.kinds(y)[STORE];
                self.edge(x, y, &[stores, same]);
            }
        }
    }

    /// What depends on a load comes after it.
    fn dependences(&mut self, events: &[usize]) {
        if !self.model.row().dependences || self.model.row().keeps.orders(KINDS[LOAD], KINDS[LOAD])
        {
            return;
        }
        for (index, &y) in events.iter().enumerate() {
            for (x, when) in self.unrolled.events[y].depends.clone() {
                let when = self.guard(when);
                let executed = self.executed(y);
                self.edge(x.index(), y, &[executed, when]);
            }
            if !self.unrolled.events[y].loads {
                continue;
            }
            // A load depends on what an earlier store to its place depends on.
            for &s in &events[..index] {
                if self.unrolled.events[s].stored.is_none() || !self.may_touch(s, y) {
                    continue;
                }
                let same = self.touch(s, y);
                if self.unrolled.events[s].loads {
                    let executed = self.executed(y);
                    self.edge(s, y, &[executed, same]);
                }
                for (x, when) in self.unrolled.events[s].depends.clone() {
                    let when = self.guard(when);
                    let stored = self.executed(s);
                    let both = self.gates.all(&[when, same, stored]);
                    let executed = self.executed(y);
                    self.edge(x.index(), y, &[executed, both]);
                }
            }
        }
    }

    /// Everything comes before what is read at the end.
    fn finally(&mut self) {
        let (last, others): (Vec<usize>, Vec<usize>) = (0..self.unrolled.events.len())
            .partition(|&event| self.unrolled.events[event].thread == FINALLY);
        for &y in &last {
            for &x in &others {
                if self.may_touch(x, y) {
                    self.edge(x, y, &[]);
                }
            }
        }
    }

    fn fences(&mut self) {
        let mut halves: Vec<Half> = Vec::new();
        for fence in self.unrolled.fences.clone() {
            for (left, right) in split(fence.orders) {
                let mut half = |between: Between| {
                    let node = self.gates.solver.node();
                    halves.push(Half {
                        fence,
                        left,
                        right,
                        between,
                        node,
                    });
                    node
                };
                if fence.step.is_none() {
                    half(Between::All);
                } else {
                    // The step is one node, which must not come before itself.
                    let (first, last) = (half(Between::ToStep), half(Between::FromStep));
                    self.gates.solver.edge(first, last, &[]);
                }
            }
        }
        for event in 0..self.unrolled.events.len() {
            self.ahead_of_fences(event, &halves);
        }
        for index in 0..halves.len() {
            self.behind_fence(index, &halves);
            match halves[index].fence.at {
                FenceAt::Nothing => {}
                FenceAt::Start(started) => self.start(&halves[index], started, &halves),
                FenceAt::Join(handle) => self.join(&halves[index], handle, &halves),
            }
        }
    }

    /// Edges from an event to the fences after it.
    fn ahead_of_fences(&mut self, x: usize, halves: &[Half]) {
        let Event {
            thread,
            position,
            step,
            guard,
            loads,
            ..
        } = self.unrolled.events[x];
        let kinds = self.kinds(x);
        // For each kind of the event: the later kinds that no fence has ordered for sure yet.
        let mut open = [[true; 2]; 2];
        let after = |half: &&Half| {
            let fence = &half.fence;
            fence.thread == thread
                && fence.position > position
                && half.between != other_side(fence.step == Some(step))
        };
        for half in halves.iter().filter(after) {
            let at = self.guard(half.fence.guard);
            let sure = self.implies(guard, half.fence.guard);
            for k in [LOAD, STORE] {
                let news = [LOAD, STORE]
                    .iter()
                    .any(|&to| half.right[to] && open[k][to]);
                if !half.left[k] || kinds[k] == Lit::FALSE || !news {
                    continue;
                }
                // What is not executed has nothing before it; but an exchange that is may not
                // store.
                let stores = if loads && k == STORE {
                    kinds[k]
                } else {
                    Lit::TRUE
                };
                if let Some(node) = self.nodes[x] {
                    self.gates.solver.edge(node, half.node, &[at, stores]);
                }
                if sure {
                    for to in [LOAD, STORE] {
                        open[k][to] &= !half.right[to];
                    }
                }
            }
        }
    }

    /// Edges from a fence to what comes after it, up to the next fence that does as much.
    fn behind_fence(&mut self, index: usize, halves: &[Half]) {
        let half = &halves[index];
        let (thread, position) = (half.fence.thread, half.fence.position);
        let mut end = u32::MAX;
        let step = half.fence.step;
        let later = match half.between {
            Between::ToStep => &[],
            _ => &halves[index + 1..],
        };
        for next in later {
            let other = next.fence;
            if other.thread != thread || other.position <= position || next.right != half.right {
                continue;
            }
            let at = self.guard(other.guard);
            self.gates.solver.edge(half.node, next.node, &[at]);
            if self.implies(half.fence.guard, other.guard) {
                end = other.position;
                break;
            }
        }
        for y in 0..self.unrolled.events.len() {
            let event = &self.unrolled.events[y];
            if event.thread != thread || event.position < position || event.position > end {
                continue;
            }
            let wanted = match half.between {
                Between::All => true,
                Between::ToStep => step == Some(event.step),
                Between::FromStep => step != Some(event.step),
            };
            if !wanted {
                continue;
            }
            let kinds = self.kinds(y);
            let ordered = [LOAD, STORE].into_iter().filter(|&k| half.right[k]);
            let ordered: Vec<Lit> = ordered.map(|k| kinds[k]).collect();
            let when = self.gates.any(&ordered);
            if when != Lit::FALSE
                && let Some(node) = self.nodes[y]
            {
                self.gates.solver.edge(half.node, node, &[when]);
            }
        }
    }

    /// A thread starts at a fence.
    fn start(&mut self, half: &Half, started: usize, halves: &[Half]) {
        for y in 0..self.unrolled.events.len() {
            if self.unrolled.events[y].thread == started {
                let executed = self.executed(y);
                if let Some(node) = self.nodes[y] {
                    self.gates.solver.edge(half.node, node, &[executed]);
                }
            }
        }
        for other in halves.iter().filter(|other| other.fence.thread == started) {
            let at = self.guard(other.fence.guard);
            self.gates.solver.edge(half.node, other.node, &[at]);
        }
    }

    /// The thread of a handle has ended at a fence.
    fn join(&mut self, half: &Half, handle: TermId, halves: &[Half]) {
        let at = self.guard(half.fence.guard);
        for thread in 0..self.unrolled.threads.len() {
            let this = self.is(handle, unroll::handle(thread));
            if this == Lit::FALSE || thread == half.fence.thread {
                continue;
            }
            for x in 0..self.unrolled.events.len() {
                if self.unrolled.events[x].thread == thread
                    && let Some(node) = self.nodes[x]
                {
                    self.gates.solver.edge(node, half.node, &[at, this]);
                }
            }
            for other in halves.iter().filter(|other| other.fence.thread == thread) {
                self.gates.solver.edge(other.node, half.node, &[at, this]);
            }
        }
    }

    /// That an event comes before another one; both are executed.
    pub fn comes_before(&mut self, a: usize, b: usize) -> Lit {
        if self.unrolled.events[a].step == self.unrolled.events[b].step {
            return literal(self.po_before(a, b));
        }
        if self.before.get(a, b) {
            return Lit::TRUE;
        }
        if self.before.get(b, a) {
            return Lit::FALSE;
        }
        let (Some(x), Some(y)) = (self.nodes[a], self.nodes[b]) else {
            return literal(self.po_before(a, b));
        };
        let (first, second) = (x.min(y), x.max(y));
        let literal = match self.orders.get(&(first, second)) {
            Some(&known) => known,
            None => {
                let literal = self.gates.solver.variable();
                self.gates.solver.edge(first, second, &[literal]);
                self.gates.solver.edge(second, first, &[!literal]);
                self.orders.insert((first, second), literal);
                literal
            }
        };
        if first == x { literal } else { !literal }
    }
}

/// A fence, or half of it: accesses of the kinds on the left come before those on the right.
#[derive(Clone)]
struct Half {
    fence: Fence,
    left: [bool; 2],
    right: [bool; 2],
    between: Between,
    node: Node,
}

/// What a fence in the middle of a step is between.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// It is in no step.
    All,
    /// What comes before the step, and the step.
    ToStep,
    /// The step, and what comes after it.
    FromStep,
}

/// The half of a fence that an event before it has nothing to do with.
fn other_side(in_step: bool) -> Between {
    match in_step {
        true => Between::ToStep,
        false => Between::FromStep,
    }
}

/// A fence's orderings as pairs of sets of kinds.
fn split(orders: Orderings) -> Vec<([bool; 2], [bool; 2])> {
    let right = KINDS.map(|left| KINDS.map(|right| orders.orders(left, right)));
    let halves = match right[LOAD] == right[STORE] {
        true => vec![([true, true], right[LOAD])],
        false => vec![([true, false], right[LOAD]), ([false, true], right[STORE])],
    };
    let some = |(_, right): &([bool; 2], [bool; 2])| right.contains(&true);
    halves.into_iter().filter(some).collect()
}

/// What an event may do.
fn kind(event: &Event) -> AccessKind {
    AccessKind {
        load: event.loads,
        store: event.stored.is_some(),
    }
}
