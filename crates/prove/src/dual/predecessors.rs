//! What comes before an element: the minimal elements from which one step leads into it.
//!
//! An element stands for locals whose buffers have a suffix above *b*. For each kind of step, which buffers *before* the step
//! lead to such a buffer *after* it:
//!
//! | step of *p* | before it |
//! | --- | --- |
//! | skip | *b* |
//! | write `x := v`, *b* empty | anything: the empty buffer |
//! | write `x := v`, *b* = *b₁*·own(x,v) | *b₁*, or *b₁* with an older own(x,u) somewhere behind its first message, which the write removes |
//! | write `x := v`, *b* with another tail | nothing: the tail is own(x,v) after the write |
//! | read `x = v`, own(x,v) in *b* | *b* |
//! | read `x = v`, own(x,u) in *b*, u ≠ v | nothing |
//! | read `x = v`, no own message of *x* in *b*, taken from an own message | own(x,v)·*S*·*b* |
//! | read `x = v`, no own message of *x* in *b*, taken from the head | (x,v)·*S*·*b*; if *S* is empty and (x,v) is the head of *b*, *b* |
//! | fence, read-modify-write, *b* empty | the empty buffer |
//! | fence, read-modify-write, *b* not empty | nothing |
//! | propagation of *x*, *b* = *b₁*·(x,u) | *b₁*, with *u* in memory |
//! | deletion | nothing new: it leads from what is above *b* to what is above *b* |
//!
//! *S* is any sequence of own messages, of locations other than *x* and those of own messages in *b*: the thread deletes it, with what
//! is between, before it comes to *b*. Plain messages need no place in *S*; with more of them a buffer is above the one without. Which *S* a
//! thread can have in its state is in `own`.
//!
//! Memory: a write and a successful update need their value there, or an open one, and leave it open, or as it was read. An absent thread becomes
//! present only for writing a value that the element asks for; everything else that it could do stays within the element.

use super::buffer::{Message, own_value};
use super::element::{Element, Local};
use super::own::OwnSequences;
use super::reverse::Reverse;
use crate::automaton::{Event, Location, StateId, Value};

/// Adds the minimal elements from which one step leads into `element`; some of them may cover others. `automata` has the automaton of each
/// thread of the element.
pub(super) fn predecessors(
    automata: impl IntoIterator<Item = usize>,
    threads: &[Reverse],
    own: &OwnSequences,
    element: &Element,
    found: &mut Vec<Element>,
) {
    for (thread, automaton) in automata.into_iter().enumerate() {
        let before = Before {
            own,
            element,
            thread,
            automaton,
            reverse: &threads[automaton],
            found,
        };
        match &element.locals[thread] {
            None => before.of_absent(),
            Some(local) => before.of_present(local),
        }
    }
}

struct Before<'a> {
    own: &'a OwnSequences,
    element: &'a Element,
    thread: usize,
    automaton: usize,
    reverse: &'a Reverse,
    found: &'a mut Vec<Element>,
}

impl Before<'_> {
    /// What memory holds before this value is written to a location; `None` if that cannot be the step. `left` is what the step
    /// read there.
    fn memory_before(
        &self,
        location: Location,
        written: Value,
        left: Option<Value>,
    ) -> Option<Box<[Option<Value>]>> {
        let mut memory = self.element.memory.clone();
        let held = &mut memory[location.index()];
        let agrees = held.is_none_or(|value| value == written);
        *held = left;
        agrees.then_some(memory)
    }

    fn push(&mut self, state: StateId, buffer: &[Message], memory: Option<Box<[Option<Value>]>>) {
        if self.own.allow(self.automaton, state, buffer) {
            let mut element = self.element.with_local(self.thread, state, buffer);
            element.memory = memory.unwrap_or(element.memory);
            self.found.push(element);
        }
    }

    fn of_absent(mut self) {
        for (index, value) in self.element.memory.iter().enumerate() {
            let Some(value) = *value else {
                continue;
            };
            let location = Location(index as u16);
            for writer in self.reverse.writers(location, value) {
                let memory = self.memory_before(location, value, writer.read);
                self.push(writer.source, &[], memory);
            }
        }
    }

    fn of_present(mut self, local: &Local) {
        let buffer = &local.buffer;
        self.propagation(local);
        for &(source, event) in self.reverse.into(local.state) {
            match event {
                Event::Skip => self.push(source, buffer, None),
                Event::Read(location, value) => self.read(source, buffer, location, value),
                Event::Write(location, value) => self.write(source, buffer, location, value),
                Event::Fence if buffer.is_empty() => self.push(source, &[], None),
                Event::Update {
                    location,
                    read,
                    written,
                } if buffer.is_empty() => {
                    let written = written.unwrap_or(read);
                    if let Some(memory) = self.memory_before(location, written, Some(read)) {
                        self.push(source, &[], Some(memory));
                    }
                }
                Event::Fence | Event::Update { .. } => {}
                Event::Barrier(_) => unreachable!("TSO has no barriers that do not wait"),
            }
        }
    }

    fn propagation(&mut self, local: &Local) {
        if let Some((tail, rest)) = local.buffer.split_last()
            && !tail.own
            && let Some(memory) = self.memory_before(tail.location, tail.value, Some(tail.value))
        {
            self.push(local.state, rest, Some(memory));
        }
    }

    fn read(&mut self, source: StateId, buffer: &[Message], location: Location, value: Value) {
        if let Some(own) = own_value(buffer, location) {
            if own == value {
                self.push(source, buffer, None);
            }
            return;
        }
        for before in self.own.before(self.automaton, source, buffer) {
            let mut before: &[Message] = before;
            let head = match before.split_first() {
                // Taken from this own message.
                Some((first, rest)) if first.location == location => {
                    if first.value != value {
                        continue;
                    }
                    before = rest;
                    *first
                }
                _ => Message::plain(location, value),
            };
            if before.iter().any(|message| message.location == location) {
                // An own message of the location that is not the first: its turn comes with a shorter sequence.
                continue;
            }
            if before.is_empty() && buffer.first() == Some(&head) {
                self.push(source, buffer, None);
            } else {
                let longer = [&[head], before, buffer].concat();
                self.push(source, &longer, None);
            }
        }
    }

    fn write(&mut self, source: StateId, buffer: &[Message], location: Location, value: Value) {
        let Some(memory) = self.memory_before(location, value, None) else {
            return;
        };
        let Some((tail, rest)) = buffer.split_last() else {
            self.push(source, &[], Some(memory));
            return;
        };
        if *tail != Message::own(location, value) {
            return;
        }
        self.push(source, rest, Some(memory.clone()));
        for older in self.own.messages(self.automaton, source, location) {
            for place in 1..=rest.len() {
                let (before, behind) = rest.split_at(place);
                let longer = [before, &[older], behind].concat();
                self.push(source, &longer, Some(memory.clone()));
            }
        }
    }
}
