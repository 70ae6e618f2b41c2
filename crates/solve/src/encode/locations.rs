//! Which locations accesses can touch.
//!
//! Accesses of one object mostly have one size and do not overlap in part; then an access is
//! one *part*. Where they do overlap, they are cut into parts of one size, each read and
//! written by itself, in one step with the others of its access.

use crate::range::Ranges;
use crate::refusal::NotSolvable;
use crate::unroll::Unrolled;
use program::{Address, Program, Word};
use rustc_hash::FxHashMap;

/// A part of an access.
#[derive(Clone, Debug)]
pub struct Part {
    /// The event's index.
    pub event: usize,
    /// Where it starts in the access, in bytes.
    pub start: u32,
    /// Its size in bytes.
    pub bytes: u32,
    /// The addresses that it may have, sorted.
    pub addresses: Vec<Word>,
}

impl Part {
    /// True if the two may be one location.
    pub fn may_touch(&self, other: &Part) -> bool {
        let (mut a, mut b) = (self.addresses.iter(), other.addresses.iter());
        let (mut x, mut y) = (a.next(), b.next());
        while let (Some(left), Some(right)) = (x, y) {
            match left.cmp(right) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => x = a.next(),
                std::cmp::Ordering::Greater => y = b.next(),
            }
        }
        false
    }

    /// True if the two are always one location.
    pub fn must_touch(&self, other: &Part) -> bool {
        self.addresses.len() == 1 && self.addresses == other.addresses
    }
}

/// The parts of all accesses.
#[derive(Debug, Default)]
pub struct Locations {
    /// All parts.
    pub parts: Vec<Part>,
    /// The parts of each event.
    pub of_event: Vec<std::ops::Range<usize>>,
    /// The addresses that each event may have and that are locations of the program.
    pub addresses: Vec<Vec<Word>>,
}

impl Locations {
    /// Finds out which locations the accesses can touch.
    pub fn find(
        program: &Program,
        unrolled: &Unrolled,
        ranges: &Ranges,
    ) -> Result<Self, NotSolvable> {
        let mut locations = Locations::default();
        for event in &unrolled.events {
            let range = ranges.of(event.address);
            let Some(values) = range.values() else {
                return Err(NotSolvable {
                    message: "an access whose address may be too many locations".to_owned(),
                    span: event.span,
                });
            };
            let bytes = event.width.bytes();
            let valid = values.filter(|address| {
                address.is_defined() && unrolled.initial(program, address.word, bytes).is_some()
            });
            locations
                .addresses
                .push(valid.map(|address| address.word).collect());
        }
        let grains = locations.grains(unrolled);
        for (index, event) in unrolled.events.iter().enumerate() {
            let bytes = event.width.bytes();
            let grain = if grains[index] == 0 {
                bytes
            } else {
                grains[index]
            };
            let first = locations.parts.len();
            for start in (0..bytes).step_by(grain as usize) {
                let addresses = locations.addresses[index].iter();
                locations.parts.push(Part {
                    event: index,
                    start,
                    bytes: grain,
                    addresses: addresses
                        .map(|address| address + Word::from(start))
                        .collect(),
                });
            }
            locations.of_event.push(first..locations.parts.len());
        }
        Ok(locations)
    }

    /// For each event, whether it only touches objects that one thread alone ever touches, and
    /// neither it nor others do so by read-modify-writes.
    pub fn private(&self, unrolled: &Unrolled) -> Vec<bool> {
        let object = |address: &Word| address >> Address::OFFSET_BITS;
        let mut owners: FxHashMap<Word, Option<usize>> = FxHashMap::default();
        for (event, addresses) in unrolled.events.iter().zip(&self.addresses) {
            let updates = event.loads && event.stored.is_some();
            for address in addresses {
                let owner = owners.entry(object(address)).or_insert(Some(event.thread));
                if *owner != Some(event.thread) || updates {
                    *owner = None;
                }
            }
        }
        // An object that is accessed together with others is as private as those.
        loop {
            let mut changed = false;
            for addresses in &self.addresses {
                let shared = addresses.iter().any(|a| owners[&object(a)].is_none());
                for address in addresses.iter().filter(|_| shared) {
                    changed |= owners.insert(object(address), None).flatten().is_some();
                }
            }
            if !changed {
                break;
            }
        }
        let private = |addresses: &Vec<Word>| {
            !addresses.is_empty() && addresses.iter().all(|a| owners[&object(a)].is_some())
        };
        self.addresses.iter().map(private).collect()
    }

    /// The size of the parts of each event; 0 if it is whole.
    fn grains(&self, unrolled: &Unrolled) -> Vec<u32> {
        let object = |address: Word| address >> Address::OFFSET_BITS;
        let mut sizes: FxHashMap<Word, u32> = FxHashMap::default();
        let mut slots: FxHashMap<Word, Vec<(Word, u32)>> = FxHashMap::default();
        for (event, addresses) in unrolled.events.iter().zip(&self.addresses) {
            for &address in addresses {
                let slots = slots.entry(object(address)).or_default();
                let slot = (address, event.width.bytes());
                if !slots.contains(&slot) {
                    slots.push(slot);
                }
            }
        }
        for (object, slots) in &slots {
            let mut grain = 0;
            for (index, &(a, a_bytes)) in slots.iter().enumerate() {
                for &(b, b_bytes) in &slots[..index] {
                    let overlap = a < b + Word::from(b_bytes) && b < a + Word::from(a_bytes);
                    if overlap {
                        let distance = a.abs_diff(b) as u32;
                        for size in [distance, a_bytes, b_bytes] {
                            grain = common(grain, size);
                        }
                    }
                }
            }
            sizes.insert(*object, grain);
        }
        // All accesses of an object have parts of one size.
        let mut grains = vec![0; self.addresses.len()];
        loop {
            let mut changed = false;
            for (grain, addresses) in grains.iter_mut().zip(&self.addresses) {
                for &address in addresses {
                    let size = sizes.entry(object(address)).or_default();
                    let both = common(*grain, *size);
                    changed |= both != *grain || both != *size;
                    (*grain, *size) = (both, both);
                }
            }
            if !changed {
                return grains;
            }
        }
    }
}

/// The greatest common divisor; 0 divides by everything.
fn common(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common(b, a % b) }
}
