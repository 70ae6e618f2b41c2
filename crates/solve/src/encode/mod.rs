//! Executions of an unrolled program under a model, as models of a formula.
//!
//! Words become literals ([`words`]), as few as the [ranges](crate::range) leave; the memory
//! order is an acyclic graph ([`order`]), and loads read what the order lets them ([`reads`]).
//! Every execution of the unrolled program is a model of the formula, and every model is one.

mod before;
mod fences;
mod local;
mod locations;
mod order;
mod reads;
mod stops;
mod uses;
mod words;
mod wrong;

use crate::bits::Gates;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::range::Ranges;
use crate::refusal::{Halt, NotSolvable};
use crate::sat::{Lit, Node, OrderBy, Solver};
use crate::term::{Term, TermId};
use crate::unroll::{self, Event, Unrolled, When};
use before::Before;
use locations::Locations;
use memory::Model;
use program::{Orderings, Program, Span, Word};
use rustc_hash::FxHashMap;
use stops::Stops;
pub use words::LitWord;
pub use wrong::WrongLiteral;

/// A formula whose models are the executions.
pub struct Encoding {
    /// The solver with the formula.
    pub solver: Solver,
    /// The unrolled program.
    pub unrolled: Unrolled,
    /// What goes wrong: a literal for each.
    pub wrongs: Vec<WrongLiteral>,
    /// A literal for each loop that would go on beyond its bound.
    pub excesses: Vec<Lit>,
    /// Something goes wrong.
    pub wrong: Lit,
    /// Every thread comes to its end, nothing goes wrong, and the execution counts.
    pub complete: Lit,
    /// The program comes to its end, and nothing goes wrong.
    pub reaches_end: Lit,
    /// Where assertions stand, each with that it is looked at.
    pub assertions: Vec<(Span, Lit)>,
    /// What is observed, as literals.
    pub observed: Vec<LitWord>,
    /// Each of them is observed at all.
    pub observing: Vec<Lit>,
    /// Words may be taken for undefined of which only other bits are.
    pub undefined_bits: bool,
    /// Each term's literals, as far as they were needed.
    pub words: Vec<Option<LitWord>>,
    /// Each guard's literal, as far as it was needed.
    pub guards: FxHashMap<Guard, Lit>,
    /// Each event's literals and node.
    pub events: Vec<EventLiterals>,
    /// Which load reads which store.
    pub reads_from: Vec<(Lit, usize, usize)>,
}

impl Encoding {
    /// That a word is less than another one of the same length.
    pub fn is_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let solver = std::mem::replace(&mut self.solver, Solver::new(OrderBy::Theory));
        let mut gates = Gates::new(solver);
        let less = gates.less(a, b);
        self.solver = gates.solver;
        less
    }

    /// The value of a word in the execution that was found.
    pub fn value(&self, word: &LitWord) -> Word {
        let bits = word.bits.iter().enumerate();
        bits.map(|(index, &bit)| Word::from(self.solver.value(bit)) << index)
            .fold(0, |word, bit| word | bit)
    }
}

/// An event as literals.
pub struct EventLiterals {
    /// It is executed.
    pub executed: Lit,
    /// It stores.
    pub stores: Lit,
    /// Its address.
    pub address: LitWord,
    /// What it loads.
    pub loaded: Option<LitWord>,
    /// What it stores.
    pub stored: Option<LitWord>,
    /// Its location in the memory order; `None` if only its own thread can tell.
    pub node: Option<Node>,
}

/// What makes the formula.
pub struct Encoder<'a> {
    program: &'a Program,
    model: Model,
    unrolled: Unrolled,
    ranges: Ranges,
    locations: Locations,
    before: Before,
    gates: Gates,
    words: Vec<Option<LitWord>>,
    guards: FxHashMap<Guard, Lit>,
    implied: FxHashMap<(Guard, Guard), bool>,
    same: FxHashMap<(usize, usize), Lit>,
    /// The node of each event, but for those that only their own thread can tell of.
    nodes: Vec<Option<Node>>,
    private: Vec<bool>,
    orders: FxHashMap<(Node, Node), Lit>,
    candidates: Vec<Vec<usize>>,
    /// Whether each part of a load may read what was there at the start.
    initial: Vec<bool>,
    reads_from: Vec<(Lit, usize, usize)>,
    bad: Vec<Option<Lit>>,
    stops: Stops,
    limits: Limits,
    too_wide: bool,
    /// Which bits of a word are undefined matters.
    undefined_bits: bool,
}

/// True if accesses may be ordered through one between them that no other thread can notice, and by nothing else: two
/// stores by a load behind a StoreLoad and before a LoadStore ordering, or two loads by a store.
fn carries_order(model: Model, unrolled: &Unrolled) -> bool {
    let keeps = model.row().keeps;
    let carries = |direct: Orderings| {
        let gives = |ordering| {
            let without = |given: Orderings| given.contains(ordering) && !given.contains(direct);
            without(keeps)
                || unrolled
                    .fences
                    .iter()
                    .any(|fence| without(model.effective(fence.orders)))
        };
        !keeps.contains(direct) && gives(Orderings::STORE_LOAD) && gives(Orderings::LOAD_STORE)
    };
    carries(Orderings::STORE_STORE) || carries(Orderings::LOAD_LOAD)
}

/// Encodes an unrolled program into a solver.
pub fn encode(
    program: &Program,
    model: Model,
    mut unrolled: Unrolled,
    solver: Solver,
    limits: &Limits,
) -> Result<Encoding, Halt> {
    let ranges = Ranges::find(program, &unrolled, limits)?;
    let locations = Locations::find(program, &unrolled, &ranges)?;
    uses::check_mutexes(program, &unrolled, &ranges, &locations)?;
    uses::check_joins(&mut unrolled, &ranges)?;
    let before = Before::find(&mut unrolled, model, &locations, limits)?;
    // Under RMO dependences go through private locations, too.
    let row = model.row();
    let depends = row.dependences && row.keeps.is_empty();
    let private = match program.process && !depends && !carries_order(model, &unrolled) {
        true => locations.private(&unrolled),
        false => vec![false; unrolled.events.len()],
    };
    let mut encoder = Encoder {
        program,
        model,
        words: vec![None; unrolled.terms.len()],
        bad: vec![None; unrolled.events.len()],
        initial: vec![true; locations.parts.len()],
        unrolled,
        ranges,
        locations,
        before,
        gates: Gates::new(solver),
        guards: FxHashMap::default(),
        implied: FxHashMap::default(),
        same: FxHashMap::default(),
        nodes: Vec::new(),
        private,
        orders: FxHashMap::default(),
        candidates: Vec::new(),
        reads_from: Vec::new(),
        too_wide: false,
        undefined_bits: false,
        stops: Stops::default(),
        limits: limits.clone(),
    };
    encoder.stops = Stops::new(&encoder.unrolled);
    encoder.find_candidates();
    encoder.order();
    encoder.reads();
    limits.end()?;
    encoder.finish()
}

impl Encoder<'_> {
    fn finish(mut self) -> Result<Encoding, Halt> {
        let wrongs = self.wrongs();
        let excesses = self.unrolled.excesses.clone();
        let excesses: Vec<Lit> = excesses
            .into_iter()
            .map(|excess| {
                let there = self.guard(excess.guard);
                let stopped = self.stopped(excess.when);
                self.gates.and(there, !stopped)
            })
            .collect();
        let dropped = self.unrolled.dropped.clone();
        let dropped: Vec<Lit> = dropped.into_iter().map(|guard| self.guard(guard)).collect();
        let wrong: Vec<Lit> = wrongs.iter().map(|wrong| wrong.literal).collect();
        let wrong = self.gates.any(&wrong);
        let cut = self.sections(&wrongs, &excesses);
        let early = self.stops_early();
        let blocked = excesses.iter().chain(&dropped).chain([&early]);
        let ends: Vec<Lit> = blocked.map(|&lit| !lit).collect();
        let ends = self.gates.all(&ends);
        let complete = self.gates.and(ends, !wrong);
        let reaches_end = self.reaches_end(complete, wrong);
        let wrong = self.gates.and(wrong, !cut);
        let assertions = self.unrolled.assertions.clone();
        let assertions = assertions.into_iter().map(|(span, guard, when)| {
            let there = self.guard(guard);
            let stopped = self.stopped(when);
            (span, self.gates.all(&[there, !stopped, !cut]))
        });
        let assertions = assertions.collect();
        let observed = self.unrolled.observed.clone();
        let observed = observed.into_iter().map(|term| self.word(term)).collect();
        let observing = self.unrolled.observing.clone();
        let observing = observing.into_iter().map(|sites| {
            let mut cases = Vec::new();
            for (guard, when) in sites {
                let there = self.guard(guard);
                let stopped = self.stopped(when);
                cases.push(self.gates.and(there, !stopped));
            }
            self.gates.any(&cases)
        });
        let observing = observing.collect();
        let events = (0..self.unrolled.events.len())
            .map(|index| {
                let event = self.unrolled.events[index].clone();
                EventLiterals {
                    executed: self.executed(index),
                    stores: self.stores(index),
                    address: self.word(event.address),
                    loaded: event.loads.then(|| self.loaded_word(index)),
                    stored: event.stored.map(|stored| self.word(stored.value)),
                    node: self.nodes[index],
                }
            })
            .collect();
        if self.too_wide {
            return Err(Halt::Refused(NotSolvable {
                message: "arithmetic on numbers that may be anything".to_owned(),
                span: Span::NOWHERE,
            }));
        }
        Ok(Encoding {
            undefined_bits: self.undefined_bits,
            words: self.words,
            guards: self.guards,
            solver: self.gates.solver,
            unrolled: self.unrolled,
            wrongs,
            excesses,
            wrong,
            complete,
            reaches_end,
            assertions,
            observed,
            observing,
            events,
            reads_from: self.reads_from,
        })
    }

    /// That the program comes to its end: a process does so with its first thread, whatever
    /// becomes of the others.
    fn reaches_end(&mut self, complete: Lit, wrong: Lit) -> Lit {
        if !self.program.process || self.unrolled.threads.is_empty() {
            return complete;
        }
        let ended = self.has_ended(0);
        self.gates.and(ended, !wrong)
    }

    /// That an event is executed.
    fn executed(&mut self, event: usize) -> Lit {
        self.happens(event, self.unrolled.events[event].guard)
    }

    /// That an event stores.
    fn stores(&mut self, event: usize) -> Lit {
        match self.unrolled.events[event].stored {
            Some(stored) => self.happens(event, stored.guard),
            None => Lit::FALSE,
        }
    }

    /// That a guard holds, and the event's thread comes to it.
    fn happens(&mut self, event: usize, guard: Guard) -> Lit {
        let Event {
            thread, position, ..
        } = self.unrolled.events[event];
        let there = self.guard(guard);
        let stopped = self.stopped(When { thread, position });
        self.gates.and(there, !stopped)
    }

    fn implies(&mut self, a: Guard, b: Guard) -> bool {
        let guards = &mut self.unrolled.terms.guards;
        *self
            .implied
            .entry((a, b))
            .or_insert_with(|| guards.implies(a, b))
    }

    /// What an event loads.
    fn loaded_word(&mut self, event: usize) -> LitWord {
        let width = self.unrolled.events[event].width;
        let id = crate::term::EventId(event as u32);
        let known = self.unrolled.terms.find(Term::Loaded(id), width);
        self.word(known)
    }

    /// That two parts, which may touch, are one location.
    fn same(&mut self, a: usize, b: usize) -> Lit {
        let (x, y) = (a.min(b), a.max(b));
        if let Some(&known) = self.same.get(&(x, y)) {
            return known;
        }
        let (left, right) = (&self.locations.parts[x], &self.locations.parts[y]);
        let same = if left.must_touch(right) {
            Lit::TRUE
        } else if left.start == right.start {
            let [a, b] = [left.event, right.event].map(|e| self.unrolled.events[e].address);
            self.same_address(a, b)
        } else {
            let addresses = [left.event, right.event].map(|e| self.unrolled.events[e].address);
            let starts = [left.start, right.start];
            let common: Vec<u64> = left
                .addresses
                .iter()
                .copied()
                .filter(|address| right.addresses.binary_search(address).is_ok())
                .collect();
            let mut cases = Vec::new();
            for address in common {
                let [a, b] = [0, 1].map(|i| {
                    let start = u64::from(starts[i]);
                    self.is(addresses[i], address - start)
                });
                cases.push(self.gates.and(a, b));
            }
            self.gates.any(&cases)
        };
        self.same.insert((x, y), same);
        same
    }

    fn same_address(&mut self, a: TermId, b: TermId) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let (x, y) = (self.word(a), self.word(b));
        self.gates.equal(&x.bits, &y.bits)
    }

    /// That two whole accesses are of one location.
    fn same_event(&mut self, a: usize, b: usize) -> Lit {
        let (x, y) = (
            self.locations.of_event[a].start,
            self.locations.of_event[b].start,
        );
        self.same(x, y)
    }

    /// True if two accesses may have a location in common.
    fn may_touch(&self, a: usize, b: usize) -> bool {
        let parts = &self.locations.parts;
        let mut pairs = self.locations.of_event[a]
            .clone()
            .flat_map(|x| self.locations.of_event[b].clone().map(move |y| (x, y)));
        pairs.any(|(x, y)| parts[x].may_touch(&parts[y]))
    }

    /// That two accesses have a location in common.
    fn touch(&mut self, a: usize, b: usize) -> Lit {
        let mut cases = Vec::new();
        for x in self.locations.of_event[a].clone() {
            for y in self.locations.of_event[b].clone() {
                if self.locations.parts[x].may_touch(&self.locations.parts[y]) {
                    cases.push(self.same(x, y));
                }
            }
        }
        self.gates.any(&cases)
    }

    /// That the thread of a handle has come to its end.
    fn ended(&mut self, handle: TermId) -> Lit {
        let mut cases = Vec::new();
        for thread in 0..self.unrolled.threads.len() {
            let this = self.is(handle, unroll::handle(thread));
            if this != Lit::FALSE {
                let ended = self.has_ended(thread);
                cases.push(self.gates.and(this, ended));
            }
        }
        self.gates.any(&cases)
    }
}
