//! What goes wrong, as literals.

use super::Encoder;
use crate::sat::Lit;
use crate::unroll::Failure;
use answer::{Fault, FaultKind};
use machine::value::Value;
use program::{ObjectKind, Word};

/// Something that goes wrong in an execution in which a literal is true.
#[derive(Clone, Debug)]
pub struct WrongLiteral {
    /// It goes wrong.
    pub literal: Lit,
    /// The index in [`Unrolled::wrongs`](crate::unroll::Unrolled::wrongs).
    pub wrong: usize,
    /// What.
    pub fault: Fault,
}

impl Encoder<'_> {
    pub fn failures(&mut self, what: &Failure) -> Vec<(Lit, Fault)> {
        match what {
            Failure::Fault(fault) => vec![(Lit::TRUE, fault.clone())],
            Failure::Undefined(term, fault) => {
                if !self.ranges.of(*term).may_be_undefined() {
                    return Vec::new();
                }
                vec![(self.word(*term).undefined, fault.clone())]
            }
            Failure::Division(operation, width, a, b) => {
                let (x, y) = (self.word(*a), self.word(*b));
                let bits = width.bits() as usize;
                let zeros: Vec<Lit> = y.bits[..bits].iter().map(|&bit| !bit).collect();
                let zero = self.gates.all(&zeros);
                let mut cases = vec![(zero, Fault::new(FaultKind::Division, "division by zero"))];
                let signed = matches!(operation, program::Binary::Sdiv | program::Binary::Srem);
                if signed {
                    let minus_one = self.gates.all(&y.bits[..bits]);
                    let lowest: Vec<Lit> = (0..bits)
                        .map(|i| if i + 1 == bits { x.bits[i] } else { !x.bits[i] })
                        .collect();
                    let lowest = self.gates.all(&lowest);
                    let overflow = self.gates.and(minus_one, lowest);
                    let text = "a division whose quotient does not fit";
                    cases.push((overflow, Fault::new(FaultKind::Division, text)));
                }
                cases
            }
            Failure::Access(event) => self.bad_accesses(event.index()),
        }
    }

    /// The addresses at which an access is wrong.
    fn bad_accesses(&mut self, index: usize) -> Vec<(Lit, Fault)> {
        let event = self.unrolled.events[index].clone();
        let mut cases = Vec::new();
        let range = self.ranges.of(event.address);
        if range.may_be_undefined() {
            let undefined = self.word(event.address).undefined;
            let text = "an address depends on an uninitialised value";
            cases.push((undefined, Fault::new(FaultKind::Uninitialised, text)));
        }
        let values: Vec<Value> = match self.ranges.of(event.address).values() {
            Some(values) => values.filter(|value| value.is_defined()).collect(),
            None => Vec::new(),
        };
        for value in values {
            let writes = event.stored.is_some();
            if let Some(fault) =
                self.fault_at(value.word, event.width.bytes(), event.alignment, writes)
            {
                cases.push((self.is(event.address, value.word), fault));
            }
        }
        cases
    }

    /// That an event's address is no location that it may access.
    pub fn bad_address(&mut self, event: usize) -> Lit {
        if let Some(known) = self.bad[event] {
            return known;
        }
        let bytes = self.unrolled.events[event].width.bytes();
        let range = self.ranges.of(self.unrolled.events[event].address);
        let address = self.unrolled.events[event].address;
        let mut cases = Vec::new();
        let undefined = range.may_be_undefined();
        let values: Vec<Value> = range.values().into_iter().flatten().collect();
        for value in values {
            let location = self.unrolled.initial(self.program, value.word, bytes);
            if value.is_defined() && location.is_none() {
                cases.push(self.is(address, value.word));
            }
        }
        if undefined {
            cases.push(self.word(address).undefined);
        }
        let bad = self.gates.any(&cases);
        self.bad[event] = Some(bad);
        bad
    }

    /// What is wrong with an access at an address.
    fn fault_at(&self, word: Word, bytes: u32, alignment: u8, writes: bool) -> Option<Fault> {
        let what = if writes { "write" } else { "read" };
        let Some((number, offset)) = self.unrolled.locate(word) else {
            return Some(match word {
                0..4096 => Fault::new(FaultKind::Null, format!("{what} through a null pointer")),
                _ => Fault::new(
                    FaultKind::Wild,
                    format!("{what} at {word:#x}, where nothing is"),
                ),
            });
        };
        let object = &self.unrolled.objects[number];
        if offset + Word::from(bytes) > object.size {
            let text = format!(
                "{what} of {bytes} bytes, {offset} bytes into {}, which has {}",
                object.name, object.size
            );
            return Some(Fault::new(FaultKind::Bounds, text));
        }
        if word & ((1 << alignment) - 1) != 0 {
            let text = format!(
                "an access to {}+{offset}, whose address is not a multiple of {}",
                object.name,
                1u64 << alignment
            );
            return Some(Fault::new(FaultKind::Misaligned, text));
        }
        match object.kind {
            ObjectKind::Constant if writes => {
                let text = format!("write to {}, which is constant", object.name);
                Some(Fault::new(FaultKind::ReadOnly, text))
            }
            ObjectKind::Code(_) => {
                let text = format!("{what} of {}, which is a function", object.name);
                Some(Fault::new(FaultKind::ReadOnly, text))
            }
            _ => None,
        }
    }
}
