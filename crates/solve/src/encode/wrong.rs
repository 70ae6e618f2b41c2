//! What goes wrong, as literals.

use super::Encoder;
use crate::sat::Lit;
use crate::unroll::{FINALLY, Failure, FenceAt, Unrolled, When};
use machine::value::Value;
use program::{Fault, FaultKind, ObjectKind, Word};

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

/// Where each thread stops: at the first thing that goes wrong there.
#[derive(Default)]
pub struct Stops {
    /// What may go wrong in each thread, by index, in program order.
    wrongs: Vec<Vec<usize>>,
    /// How many of those have been looked at.
    done: Vec<usize>,
    /// Positions at which a thread may stop, each with that it has stopped there or before.
    stops: Vec<Vec<(u32, Lit)>>,
    /// The fence at which each thread starts: its thread and position.
    starts: Vec<Option<When>>,
    found: Vec<WrongLiteral>,
}

impl Stops {
    /// Nothing looked at yet.
    pub fn new(unrolled: &Unrolled) -> Self {
        let threads = unrolled.threads.len();
        let mut stops = Stops {
            wrongs: vec![Vec::new(); threads],
            done: vec![0; threads],
            stops: vec![Vec::new(); threads],
            starts: vec![None; threads],
            found: Vec::new(),
        };
        for (index, wrong) in unrolled.wrongs.iter().enumerate() {
            if wrong.thread != FINALLY {
                stops.wrongs[wrong.thread].push(index);
            }
        }
        for fence in &unrolled.fences {
            if let FenceAt::Start(started) = fence.at {
                stops.starts[started] = Some(When {
                    thread: fence.thread,
                    position: fence.position,
                });
            }
        }
        stops
    }
}

impl Encoder<'_> {
    /// That a thread has gone wrong before it comes there, or what starts it has. A thread
    /// that goes wrong stops, so that nothing comes of it: what is wrong does not cause itself.
    pub fn stopped(&mut self, when: When) -> Lit {
        if when.thread == FINALLY {
            let threads = 0..self.unrolled.threads.len();
            let position = u32::MAX;
            let all: Vec<Lit> = threads
                .map(|thread| self.stopped(When { thread, position }))
                .collect();
            return self.gates.any(&all);
        }
        while let Some(&wrong) = self.stops.wrongs[when.thread].get(self.stops.done[when.thread])
            && self.unrolled.wrongs[wrong].position < when.position
        {
            self.look_at(wrong);
        }
        let mine = self.stops.stops[when.thread].iter();
        let mine = mine.rev().find(|(position, _)| *position < when.position);
        let mine = mine.map_or(Lit::FALSE, |&(_, stopped)| stopped);
        let before = match self.stops.starts[when.thread] {
            Some(start) => self.stopped(start),
            None => Lit::FALSE,
        };
        self.gates.or(mine, before)
    }

    fn look_at(&mut self, index: usize) {
        let wrong = self.unrolled.wrongs[index].clone();
        let (thread, position) = (wrong.thread, wrong.position);
        let there = self.guard(wrong.guard);
        let cases = match there {
            Lit::FALSE => Vec::new(),
            _ => self.failures(&wrong.what),
        };
        self.stops.done[thread] += 1;
        let before = self.stopped(When { thread, position });
        let mut now = Vec::new();
        for (when, fault) in cases {
            let literal = self.gates.all(&[there, when, !before]);
            if literal != Lit::FALSE {
                now.push(literal);
                self.stops.found.push(WrongLiteral {
                    literal,
                    wrong: index,
                    fault,
                });
            }
        }
        if !now.is_empty() {
            now.extend(self.stops.stops[thread].last().map(|&(_, stopped)| stopped));
            let stopped = self.gates.any(&now);
            self.stops.stops[thread].push((position, stopped));
        }
    }

    /// All that may go wrong.
    pub fn wrongs(&mut self) -> Vec<WrongLiteral> {
        self.stopped(When {
            thread: FINALLY,
            position: 0,
        });
        std::mem::take(&mut self.stops.found)
    }

    fn failures(&mut self, what: &Failure) -> Vec<(Lit, Fault)> {
        match what {
            Failure::Fault(fault) => vec![(Lit::TRUE, fault.clone())],
            Failure::Undefined(term, used_as) => {
                if !self.ranges.of(*term).may_be_undefined() {
                    return Vec::new();
                }
                let undefined = self.word(*term).undefined;
                let text = format!("{used_as} depends on an uninitialised value");
                vec![(undefined, Fault::new(FaultKind::Uninitialised, text))]
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

    /// That an event's address is no place that it may access.
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
            let place = self.unrolled.initial(self.program, value.word, bytes);
            if value.is_defined() && place.is_none() {
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
