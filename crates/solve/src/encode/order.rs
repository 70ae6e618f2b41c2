//! The memory order: one node for each step, and the edges that a model asks for.
//!
//! The rules are those of the model table (`memory`): what the model keeps, fences, accesses
//! of one location of which the later stores, and dependences. An edge that hangs on an event
//! being executed is guarded by the event that it leads *to*; that is enough, because nothing
//! then leads to an event that is not executed.
//!
//! Fences have a file of their own, and so has [what is known](super::before) without solving.

use super::Encoder;
use super::words::literal;
use crate::sat::{Lit, Node};
use crate::unroll::{Event, FINALLY};
use program::AccessKind;
use rustc_hash::FxHashMap;

pub const LOAD: usize = 0;
pub const STORE: usize = 1;
pub const KINDS: [AccessKind; 2] = [AccessKind::LOAD, AccessKind::STORE];

impl Encoder<'_> {
    /// Makes the nodes and edges of the memory order.
    pub fn order(&mut self) {
        let mut nodes: FxHashMap<u32, Node> = FxHashMap::default();
        for (event, &private) in self.unrolled.events.iter().zip(&self.private) {
            let solver = &mut self.gates.solver;
            let node = || *nodes.entry(event.step).or_insert_with(|| solver.node());
            self.nodes.push((!private).then(node));
        }
        let threads = self.unrolled.threads.len();
        for thread in (0..threads).chain([FINALLY]) {
            if self.limits.is_over() {
                return;
            }
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
    pub fn kinds(&mut self, event: usize) -> [Lit; 2] {
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
            if self.limits.is_over() {
                return;
            }
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

    /// Accesses of one location, of which the later one stores.
    fn same_place(&mut self, events: &[usize]) {
        for (index, &y) in events.iter().enumerate() {
            if self.unrolled.events[y].stored.is_none() || self.limits.is_over() {
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
            if self.limits.is_over() {
                return;
            }
            for (x, when) in self.unrolled.events[y].depends.clone() {
                let when = self.guard(when);
                let executed = self.executed(y);
                self.edge(x.index(), y, &[executed, when]);
            }
            if !self.unrolled.events[y].loads {
                continue;
            }
            // A load depends on what an earlier store to its location depends on.
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
            if self.limits.is_over() {
                return;
            }
            for &x in &others {
                if self.may_touch(x, y) {
                    self.edge(x, y, &[]);
                }
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

/// What an event may do.
fn kind(event: &Event) -> AccessKind {
    AccessKind {
        load: event.loads,
        store: event.stored.is_some(),
    }
}
