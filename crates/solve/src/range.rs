//! Which values terms can have (CheckFence, section 3.4).
//!
//! A light, flow-insensitive analysis: sets of values go from terms to the locations that are
//! stored to, and from there to the terms that load them, until nothing new comes. The sets
//! say how many bits a value needs, which locations an access can touch, and so which accesses
//! have nothing to do with each other.
//!
//! The sets are right for executions in which no value depends on itself. Relaxed lets a value
//! come from nowhere by such a circle; of those this keeps the ones in the sets, as the paper
//! does.
//!
//! Computing with what is loaded could go on for ever. As in the paper, a value is dropped
//! when it has gone through more such computations than there are in the program; and a set
//! that grows large becomes *wide*: any value of some bits.

use crate::limits::Limits;
use crate::refusal::Halt;
use crate::term::{Term, TermId};
use crate::unroll::{Event, Unrolled};
use machine::value::{self, Value};
use program::{Binary, Program, Width, Word};
use rustc_hash::FxHashMap;

/// Sets have at most this many values.
const MOST_VALUES: usize = 96;
/// Pairs of values that an operation is tried on.
const MOST_PAIRS: usize = 4096;

/// Which values a term can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// One of these, sorted; each with the number of computations it went through.
    Set(Vec<(Value, u32)>),
    /// Any.
    Wide {
        /// Bits that may be one.
        ones: Word,
        /// Bits may be undefined.
        undefined: bool,
    },
}

impl Range {
    const EMPTY: Range = Range::Set(Vec::new());

    fn wide(width: Width, undefined: bool) -> Range {
        Range::Wide {
            ones: width.truncate(Word::MAX),
            undefined,
        }
    }

    /// True if some bit may be undefined.
    pub fn may_be_undefined(&self) -> bool {
        match self {
            Range::Set(values) => values.iter().any(|(value, _)| !value.is_defined()),
            Range::Wide { undefined, .. } => *undefined,
        }
    }

    /// The values, if they are few.
    pub fn values(&self) -> Option<impl Iterator<Item = Value> + Clone + '_> {
        match self {
            Range::Set(values) => Some(values.iter().map(|&(value, _)| value)),
            Range::Wide { .. } => None,
        }
    }

    /// The only value.
    pub fn only(&self) -> Option<Value> {
        match self {
            Range::Set(values) if values.len() == 1 => Some(values[0].0),
            _ => None,
        }
    }

    /// Adds a value; true if that is news.
    fn insert(&mut self, value: Value, depth: u32, width: Width) -> bool {
        let Range::Set(values) = self else {
            return false;
        };
        match values.binary_search_by_key(&key(value), |&(value, _)| key(value)) {
            Ok(found) if values[found].1 <= depth => false,
            Ok(found) => {
                values[found].1 = depth;
                true
            }
            Err(_) if values.len() == MOST_VALUES => {
                *self = Range::wide(width, self.may_be_undefined() || !value.is_defined());
                true
            }
            Err(index) => {
                values.insert(index, (value, depth));
                true
            }
        }
    }

    /// Adds everything of another range; true if that is news.
    fn extend(&mut self, other: &Range, width: Width) -> bool {
        match other {
            Range::Set(values) => {
                let mut news = false;
                for &(value, depth) in values {
                    news |= self.insert(value.truncate(width), depth, width);
                }
                if let Range::Wide { undefined, .. } = self
                    && !*undefined
                    && other.may_be_undefined()
                {
                    *undefined = true;
                    news = true;
                }
                news
            }
            Range::Wide { ones, undefined } => {
                let wide = match self {
                    Range::Set(values) => {
                        let mine = values
                            .iter()
                            .fold(0, |bits, (v, _)| bits | v.word | v.undefined);
                        Range::Wide {
                            ones: mine | width.truncate(*ones),
                            undefined: *undefined || self.may_be_undefined(),
                        }
                    }
                    Range::Wide {
                        ones: mine,
                        undefined: my,
                    } => Range::Wide {
                        ones: *mine | width.truncate(*ones),
                        undefined: *my || *undefined,
                    },
                };
                let news = *self != wide;
                *self = wide;
                news
            }
        }
    }
}

fn key(value: Value) -> (Word, Word) {
    (value.word, value.undefined)
}

/// What an access of this many bytes at an address may find.
type Slot = (Word, u32);

/// The ranges of all terms.
#[derive(Debug)]
pub struct Ranges {
    ranges: Vec<Range>,
    /// Terms that are, or are computed from, ones whose values may have been dropped.
    grown: Vec<bool>,
}

impl Ranges {
    /// The range of a term.
    pub fn of(&self, term: TermId) -> &Range {
        &self.ranges[term.index()]
    }

    /// True if a value that depends on itself may take the term out of its range.
    pub fn may_be_left(&self, term: TermId) -> bool {
        self.grown[term.index()]
    }

    /// Finds the ranges of an unrolled program's terms.
    pub fn find(program: &Program, unrolled: &Unrolled, limits: &Limits) -> Result<Self, Halt> {
        let mut search = Search::new(program, unrolled);
        while search.pass(limits) {}
        limits.end()?;
        let mut grown = search.grows;
        for index in 0..grown.len() {
            let term = unrolled.terms.get(TermId(index as u32)).0;
            let mut operands = operands(term).into_iter().flatten();
            grown[index] |= operands.any(|operand| grown[operand.index()]);
        }
        Ok(Ranges {
            ranges: search.ranges,
            grown,
        })
    }
}

struct Search<'a> {
    program: &'a Program,
    unrolled: &'a Unrolled,
    ranges: Vec<Range>,
    /// The pass in which each term's range last changed.
    changed: Vec<u32>,
    slots: FxHashMap<Slot, Range>,
    /// The slots of each object.
    by_object: FxHashMap<Word, Vec<Slot>>,
    /// Terms that compute with what is loaded, into what is stored.
    grows: Vec<bool>,
    most_depth: u32,
    pass: u32,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, unrolled: &'a Unrolled) -> Self {
        let grows = growing(unrolled);
        Search {
            program,
            unrolled,
            ranges: vec![Range::EMPTY; unrolled.terms.len()],
            changed: vec![0; unrolled.terms.len()],
            slots: FxHashMap::default(),
            by_object: FxHashMap::default(),
            most_depth: grows.iter().filter(|&&grows| grows).count() as u32,
            grows,
            pass: 0,
        }
    }

    /// Goes over everything once; true if there was news.
    fn pass(&mut self, limits: &Limits) -> bool {
        self.pass += 1;
        let mut news = false;
        for index in 0..self.ranges.len() {
            if limits.is_over() {
                return false;
            }
            news |= self.term(TermId(index as u32));
        }
        for event in &self.unrolled.events {
            if limits.is_over() {
                return false;
            }
            news |= self.store(event);
        }
        news
    }

    fn term(&mut self, id: TermId) -> bool {
        let (term, width) = self.unrolled.terms.get(id);
        let recent = |term: TermId| self.changed[term.index()] + 1 >= self.pass;
        let due = match term {
            Term::Constant(_) | Term::Undefined | Term::Choice(..) | Term::Ended(_) => {
                self.pass == 1
            }
            Term::Loaded(_) => true,
            Term::Copy(a)
            | Term::SignExtend(_, a)
            | Term::Unary(_, _, a)
            | Term::Convert(_, _, a) => recent(a),
            Term::Binary(_, _, a, b) | Term::Select(_, a, b) => recent(a) || recent(b),
        };
        if !due {
            return false;
        }
        let found = self.evaluate(id, term, width);
        let mut range = std::mem::replace(&mut self.ranges[id.index()], Range::EMPTY);
        let news = range.extend(&found, width);
        self.ranges[id.index()] = range;
        if news {
            self.changed[id.index()] = self.pass;
        }
        news
    }

    fn evaluate(&mut self, id: TermId, term: Term, width: Width) -> Range {
        let single = |value: Value| Range::Set(vec![(value, 0)]);
        let of = |term: TermId| &self.ranges[term.index()];
        match term {
            Term::Constant(word) => single(Value::new(word)),
            Term::Undefined => single(Value::UNDEFINED.truncate(width)),
            Term::Choice(_, bound) if bound <= MOST_VALUES as Word => {
                Range::Set((0..bound).map(|number| (Value::new(number), 0)).collect())
            }
            Term::Choice(_, bound) => Range::Wide {
                ones: bound.next_power_of_two().wrapping_sub(1),
                undefined: false,
            },
            Term::Ended(_) => Range::Set([0, 1].map(|bit| (Value::new(bit), 0)).into()),
            Term::Loaded(event) => self.load(&self.unrolled.events[event.index()].clone()),
            Term::Copy(a) => self.map(id, of(a), width, |value| value),
            Term::SignExtend(from, a) => self.map(id, of(a), width, |value| {
                value.truncate(from).sign_extend(from)
            }),
            Term::Unary(operation, from, a) => {
                self.map(id, of(a), width, |value| match value.is_defined() {
                    true => Value::new(operation.apply(from, from.truncate(value.word))),
                    false => Value::UNDEFINED,
                })
            }
            Term::Convert(how, from, a) => {
                self.map(id, of(a), width, |value| match value.is_defined() {
                    true => Value::new(how.apply(from, width, from.truncate(value.word))),
                    false => Value::UNDEFINED,
                })
            }
            Term::Binary(operation, on, a, b) => {
                self.binary(id, operation, on, of(a), of(b), width)
            }
            Term::Select(_, a, b) => {
                let mut range = of(a).clone();
                range.extend(of(b), width);
                range
            }
        }
    }

    /// How much deeper the values of a term are than what it is computed from; `None` if they
    /// are too deep.
    fn deeper(&self, id: TermId, depth: u32) -> Option<u32> {
        let depth = depth + u32::from(self.grows[id.index()]);
        (depth <= self.most_depth).then_some(depth)
    }

    fn map(&self, id: TermId, of: &Range, width: Width, map: impl Fn(Value) -> Value) -> Range {
        match of {
            Range::Set(values) => {
                let mut range = Range::EMPTY;
                for &(value, depth) in values {
                    if let Some(depth) = self.deeper(id, depth) {
                        range.insert(map(value).truncate(width), depth, width);
                    }
                }
                range
            }
            Range::Wide { ones, undefined } => match self.unrolled.terms.get(id).0 {
                Term::Copy(_) => Range::Wide {
                    ones: width.truncate(*ones),
                    undefined: *undefined,
                },
                _ => Range::wide(width, *undefined),
            },
        }
    }

    fn binary(
        &self,
        id: TermId,
        operation: Binary,
        on: Width,
        a: &Range,
        b: &Range,
        width: Width,
    ) -> Range {
        match (a, b) {
            (Range::Set(left), Range::Set(right)) if left.len() * right.len() <= MOST_PAIRS => {
                let mut range = Range::EMPTY;
                for &(x, x_depth) in left {
                    for &(y, y_depth) in right {
                        if let Some(depth) = self.deeper(id, x_depth.max(y_depth)) {
                            let result = value::binary(operation, on, x, y);
                            range.insert(result.truncate(width), depth, width);
                        }
                    }
                }
                range
            }
            _ if a == &Range::EMPTY || b == &Range::EMPTY => Range::EMPTY,
            _ => {
                let undefined = a.may_be_undefined() || b.may_be_undefined();
                let mask = |range: &Range| match range {
                    Range::Set(values) => {
                        values.iter().fold(0, |m, (v, _)| m | v.word | v.undefined)
                    }
                    Range::Wide { ones, .. } => *ones,
                };
                let ones = match operation {
                    Binary::And => mask(a) & mask(b),
                    Binary::Or | Binary::Xor => mask(a) | mask(b),
                    _ if operation.is_comparison() => 1,
                    _ => Word::MAX,
                };
                Range::Wide {
                    ones: width.truncate(ones),
                    undefined,
                }
            }
        }
    }

    /// The slot of an access at an address, if that is a location of the program.
    fn slot(&mut self, address: Word, bytes: u32) -> Option<Slot> {
        let slot = (address, bytes);
        if !self.slots.contains_key(&slot) {
            let (word, undefined) = self.unrolled.initial(self.program, address, bytes)?;
            let value = Value::with_undefined(word, undefined);
            self.slots.insert(slot, Range::Set(vec![(value, 0)]));
            let object = address >> program::Address::OFFSET_BITS;
            self.by_object.entry(object).or_default().push(slot);
        }
        Some(slot)
    }

    fn load(&mut self, event: &Event) -> Range {
        let mut range = Range::EMPTY;
        let Range::Set(addresses) = self.ranges[event.address.index()].clone() else {
            return Range::wide(event.width, true);
        };
        let bytes = event.width.bytes();
        for (address, _) in addresses {
            let Some(slot) = self
                .slot(address.word, bytes)
                .filter(|_| address.is_defined())
            else {
                continue;
            };
            let object = address.word >> program::Address::OFFSET_BITS;
            let mixed = self.by_object[&object]
                .iter()
                .any(|&other| other != slot && overlap(other, slot));
            if mixed {
                let others = self.by_object[&object].iter();
                let undefined = others
                    .filter(|&&other| overlap(other, slot))
                    .any(|other| self.slots[other].may_be_undefined());
                range.extend(&Range::wide(event.width, undefined), event.width);
            }
            range.extend(&self.slots[&slot], event.width);
        }
        range
    }

    fn store(&mut self, event: &Event) -> bool {
        let Some(stored) = event.stored else {
            return false;
        };
        let recent = |term: TermId| self.changed[term.index()] == self.pass;
        if !recent(stored.value) && !recent(event.address) {
            return false;
        }
        let Range::Set(addresses) = self.ranges[event.address.index()].clone() else {
            return false;
        };
        let value = self.ranges[stored.value.index()].clone();
        let mut news = false;
        for (address, _) in addresses {
            if !address.is_defined() {
                continue;
            }
            if let Some(slot) = self.slot(address.word, event.width.bytes()) {
                let range = self.slots.get_mut(&slot);
                news |= range.is_some_and(|range| range.extend(&value, event.width));
            }
        }
        news
    }
}

fn overlap(a: Slot, b: Slot) -> bool {
    a.0 < b.0 + Word::from(b.1) && b.0 < a.0 + Word::from(a.1)
}

/// The terms that a term is computed from.
fn operands(term: Term) -> [Option<TermId>; 2] {
    match term {
        Term::Copy(a) | Term::SignExtend(_, a) | Term::Unary(_, _, a) | Term::Convert(_, _, a) => {
            [Some(a), None]
        }
        Term::Binary(_, _, a, b) | Term::Select(_, a, b) => [Some(a), Some(b)],
        _ => [None, None],
    }
}

/// Terms that compute with something loaded, and whose result gets into something stored.
fn growing(unrolled: &Unrolled) -> Vec<bool> {
    let terms = &unrolled.terms;
    let count = terms.len();
    let mut loaded = vec![false; count];
    // Operands come before what is made of them.
    for index in 0..count {
        let term = terms.get(TermId(index as u32)).0;
        loaded[index] = matches!(term, Term::Loaded(_))
            || operands(term)
                .into_iter()
                .flatten()
                .any(|t| loaded[t.index()]);
    }
    let mut stored = vec![false; count];
    for event in &unrolled.events {
        if let Some(store) = event.stored {
            stored[store.value.index()] = true;
        }
    }
    for index in (0..count).rev() {
        if stored[index] {
            let term = terms.get(TermId(index as u32)).0;
            for operand in operands(term).into_iter().flatten() {
                stored[operand.index()] = true;
            }
        }
    }
    let computes = |term: Term| match term {
        Term::Binary(operation, ..) => !operation.is_comparison(),
        Term::Unary(..) | Term::Convert(..) | Term::SignExtend(..) => true,
        _ => false,
    };
    (0..count)
        .map(|index| {
            let term = terms.get(TermId(index as u32)).0;
            loaded[index] && stored[index] && computes(term)
        })
        .collect()
}
