//! Automata from a seed.

use program::{Address, ObjectId, Orderings, Span};
use prove::automaton::{
    Automaton, Event, Location, LocationValues, State, StateId, System, Transition, Value,
};

/// Marsaglia's xorshift: the same numbers everywhere.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            numbers.next();
        }
        numbers
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count
    }
}

/// How large the automata are.
pub struct Shape {
    pub threads: usize,
    pub states: usize,
    pub locations: usize,
    pub values: usize,
    pub transitions: usize,
    /// Transitions of a hundred that are fences; as many are updates.
    pub fences: usize,
    /// As many of those are barriers, for PSO only.
    pub barriers: usize,
    /// Of four accesses, those to the thread's likely location.
    pub likely: usize,
}

pub fn system(numbers: &mut Numbers, shape: &Shape) -> System {
    let locations = (0..shape.locations).map(|index| LocationValues {
        address: Address::of(ObjectId(index as u32)),
        words: (0..shape.values as u64).collect(),
        initial: Value(0),
    });
    let locations = locations.collect();
    let automata = (0..shape.threads).map(|thread| automaton(numbers, shape, thread));
    System {
        automata: automata.collect(),
        locations,
    }
}

/// A chain of states with some more transitions, most of which lead back.
fn automaton(numbers: &mut Numbers, shape: &Shape, thread: usize) -> Automaton {
    let mut states = vec![State::default(); shape.states];
    for index in 0..shape.transitions {
        let (source, target) = if index + 1 < shape.states {
            (index, index + 1)
        } else {
            (numbers.below(shape.states), numbers.below(shape.states))
        };
        let transition = Transition {
            event: event(numbers, shape, thread, 2 * source < shape.states),
            target: StateId(target as u32),
            span: Span::NOWHERE,
        };
        if !states[source].transitions.contains(&transition) {
            states[source].transitions.push(transition);
        }
    }
    Automaton { states }
}

/// Threads write mostly what others read, and read mostly what others write, as mutual exclusion does; at first they mostly
/// write, later they mostly read.
fn event(numbers: &mut Numbers, shape: &Shape, thread: usize, early: bool) -> Event {
    let mine = thread % shape.locations;
    let pick = |numbers: &mut Numbers, likely: usize| {
        if numbers.below(4) < shape.likely {
            Location(likely as u16)
        } else {
            Location(numbers.below(shape.locations) as u16)
        }
    };
    let value = |numbers: &mut Numbers| Value(numbers.below(shape.values) as u16);
    let kind = numbers.below(100);
    if kind < 1 {
        Event::Skip
    } else if kind < 1 + shape.fences {
        Event::Fence
    } else if kind < 1 + shape.fences + shape.barriers {
        let orderings = [Orderings::STORE_STORE, Orderings::STORE_LOAD];
        Event::Barrier(orderings[usize::from(numbers.below(3) == 0)])
    } else if kind < 1 + shape.barriers + 2 * shape.fences {
        Event::Update {
            location: pick(numbers, mine),
            read: value(numbers),
            written: (numbers.below(3) > 0).then(|| value(numbers)),
        }
    } else if kind.is_multiple_of(5) == early {
        let other = (mine + 1) % shape.locations;
        Event::Read(pick(numbers, other), value(numbers))
    } else {
        let changed = 1 + numbers.below(shape.values - 1) as u16;
        let written = match numbers.below(4) {
            0 => Value(0),
            _ => Value(changed),
        };
        Event::Write(pick(numbers, mine), written)
    }
}
