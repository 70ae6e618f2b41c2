//! The value axiom: a load returns the last store to its location, in memory order, among those
//! that come before it in memory order or in program order; or else what was there at the
//! start.

use super::Encoder;
use super::local::Source;
use super::words::LitWord;
use crate::sat::Lit;

impl Encoder<'_> {
    /// For each part of a load, the parts of stores that it may read.
    pub fn find_candidates(&mut self) {
        let parts = self.locations.parts.len();
        self.candidates = vec![Vec::new(); parts];
        for load in 0..parts {
            if self.limits.is_over() {
                return;
            }
            let l = self.locations.parts[load].event;
            if !self.unrolled.events[l].loads {
                continue;
            }
            let visible: Vec<usize> = (0..parts)
                .filter(|&store| {
                    let s = self.locations.parts[store].event;
                    s != l
                        && self.unrolled.events[s].stored.is_some()
                        && !self.never_visible(s, l)
                        && self.locations.parts[store].may_touch(&self.locations.parts[load])
                })
                .collect();
            // Stores that surely reach the location before the load, whatever happens.
            let sure: Vec<usize> = visible
                .iter()
                .copied()
                .filter(|&store| {
                    let s = self.locations.parts[store].event;
                    let guard = self.unrolled.events[s].stored.map(|stored| stored.guard);
                    let load_guard = self.unrolled.events[l].guard;
                    self.locations.parts[store].must_touch(&self.locations.parts[load])
                        && (self.po_before(s, l) || self.before.get(s, l))
                        && guard.is_some_and(|guard| self.implies(load_guard, guard))
                })
                .collect();
            self.initial[load] = sure.is_empty();
            self.candidates[load] = visible
                .into_iter()
                .filter(|&store| {
                    let s = self.locations.parts[store].event;
                    let over = |&other: &usize| {
                        let o = self.locations.parts[other].event;
                        o != s && self.before.get(s, o)
                    };
                    !sure.iter().any(over)
                })
                .collect();
        }
    }

    /// True if the load can never see the store.
    fn never_visible(&self, store: usize, load: usize) -> bool {
        let same_thread = self.unrolled.events[store].thread == self.unrolled.events[load].thread;
        match same_thread {
            // A later store to the location comes later in memory order, under every model.
            true => !self.po_before(store, load),
            false => self.before.get(load, store),
        }
    }

    /// That the load sees the store; both are executed.
    fn visible(&mut self, store: usize, load: usize) -> Lit {
        match self.po_before(store, load) {
            true => Lit::TRUE,
            false => self.comes_before(store, load),
        }
    }

    /// Makes every load read what it must.
    pub fn reads(&mut self) {
        for event in 0..self.unrolled.events.len() {
            if self.limits.is_over() {
                return;
            }
            let stored = self.unrolled.events[event].stored;
            if let Some(stored) = stored
                && !self.model.row().dependences
                && self.ranges.may_be_left(stored.value)
            {
                let value = self.word(stored.value);
                let stores = self.stores(event);
                self.keep_to_range(stored.value, &value, stores);
            }
            if self.unrolled.events[event].loads && self.source(event) == Source::Open {
                for load in self.locations.of_event[event].clone() {
                    self.read(load);
                }
            }
        }
    }

    fn read(&mut self, load: usize) {
        let part = self.locations.parts[load].clone();
        let l = part.event;
        let executed = self.executed(l);
        let loaded = self.loaded_word(l);
        let loaded = slice(&loaded, part.start, part.bytes);
        let candidates = self.candidates[load].clone();
        let mut sources = vec![!executed];
        let sees: Vec<(usize, Lit, Lit, Lit)> = candidates
            .iter()
            .map(|&store| {
                let s = self.locations.parts[store].event;
                let stores = self.stores(s);
                let same = self.same(store, load);
                (s, stores, same, self.visible(s, l))
            })
            .collect();
        for (index, &(s, stores, same, visible)) in sees.iter().enumerate() {
            if self.limits.is_over() {
                return;
            }
            let reads = self.gates.solver.variable();
            sources.push(reads);
            self.reads_from.push((reads, s, l));
            for needed in [stores, same, visible, executed] {
                self.gates.solver.clause(&[!reads, needed]);
            }
            let other = &self.locations.parts[candidates[index]];
            let (start, bytes) = (other.start, other.bytes);
            let stored = self.unrolled.events[s].stored.expect("a candidate stores");
            let stored = slice(&self.word(stored.value), start, bytes);
            self.equal_if(reads, &loaded, &stored);
            for (number, &(o, stores, same, visible)) in sees.iter().enumerate() {
                if number == index {
                    continue;
                }
                let earlier = self.comes_before(o, s);
                self.gates
                    .solver
                    .clause(&[!reads, !stores, !same, !visible, earlier]);
            }
        }
        if self.initial[load] {
            let reads = self.gates.solver.variable();
            sources.push(reads);
            for &(_, stores, same, visible) in &sees {
                self.gates
                    .solver
                    .clause(&[!reads, !stores, !same, !visible]);
            }
            let initial = slice(&self.initial_word(l), part.start, part.bytes);
            self.equal_if(reads, &loaded, &initial);
        }
        // An access to no location reads nothing; it is wrong anyway.
        let bad = self.bad_address(l);
        sources.push(bad);
        self.gates.solver.clause(&sources);
    }

    fn equal_if(&mut self, when: Lit, a: &LitWord, b: &LitWord) {
        let pairs = a
            .bits
            .iter()
            .zip(&b.bits)
            .chain([(&a.undefined, &b.undefined)]);
        let mut done: Vec<(Lit, Lit)> = Vec::new();
        for (&x, &y) in pairs {
            if x == y || done.contains(&(x, y)) || done.contains(&(!x, !y)) {
                continue;
            }
            done.push((x, y));
            self.gates.solver.clause(&[!when, !x, y]);
            self.gates.solver.clause(&[!when, x, !y]);
        }
    }
}

/// Some bytes of a word.
fn slice(word: &LitWord, start: u32, bytes: u32) -> LitWord {
    let from = 8 * start as usize;
    let to = (from + 8 * bytes as usize).min(word.bits.len());
    LitWord {
        bits: word.bits[from..to].to_vec(),
        undefined: word.undefined,
    }
}
