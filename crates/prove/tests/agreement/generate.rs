//! Automata from a seed.

use program::{Address, ObjectId, Span};
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
}

pub fn system(numbers: &mut Numbers, shape: &Shape) -> System {
    let locations = (0..shape.locations).map(|index| LocationValues {
        address: Address::of(ObjectId(index as u32)),
        words: (0..shape.values as u64).collect(),
        initial: Value(0),
    });
    let locations = locations.collect();
    let automata = (0..shape.threads).map(|_| automaton(numbers, shape));
    System {
        automata: automata.collect(),
        locations,
    }
}

fn automaton(numbers: &mut Numbers, shape: &Shape) -> Automaton {
    let mut states = vec![State::default(); shape.states];
    for index in 0..shape.transitions {
        // Each state but the first is reached from an earlier one, as far as there are transitions.
        let (source, target) = if index + 1 < shape.states {
            (numbers.below(index + 1), index + 1)
        } else {
            (numbers.below(shape.states), numbers.below(shape.states))
        };
        let transition = Transition {
            event: event(numbers, shape),
            target: StateId(target as u32),
            span: Span::NOWHERE,
        };
        if !states[source].transitions.contains(&transition) {
            states[source].transitions.push(transition);
        }
    }
    Automaton { states }
}

fn event(numbers: &mut Numbers, shape: &Shape) -> Event {
    let location = Location(numbers.below(shape.locations) as u16);
    let value = Value(numbers.below(shape.values) as u16);
    match numbers.below(100) {
        0 => Event::Skip,
        kind if kind <= shape.fences => Event::Fence,
        kind if kind <= 2 * shape.fences => Event::Update {
            location,
            read: value,
            written: match numbers.below(3) {
                0 => None,
                _ => Some(Value(numbers.below(shape.values) as u16)),
            },
        },
        kind if kind % 2 == 0 => Event::Read(location, value),
        _ => Event::Write(location, value),
    }
}
