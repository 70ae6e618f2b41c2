//! Elements with load buffers, for TSO and SC: the invariant is what is in none of them.
//!
//! TSO has the same reachable control and memory as a machine with load buffers (dual TSO: Abdulla, Atig, Bouajjani, Ngo, CONCUR 2016).
//! A write reaches memory at once, takes older messages of its location out of the thread's buffer, and leaves an *own* message at its tail;
//! memory may append its value of a location to any buffer as a *plain* message; the oldest message may be deleted at any time; a
//! read takes the thread's own message of the location, or else the oldest message, if that is of the location; a fence and a
//! read-modify-write need an empty buffer.
//!
//! An element stands for all configurations of this machine with threads at its controls (`*`: anywhere), with its memory (`*`: anything), and
//! with buffers that have a suffix with the element's own messages and, between them, its plain messages as subwords. Elements are a
//! proof if
//!
//! 1. the start is in none of them;
//! 2. every goal is in one of them;
//! 3. every configuration from which a step leads into one of them is in one of them.
//!
//! For 3 it is enough to look at minimal configurations, of which there are finitely many (`Into`). A goal or a configuration that is not in an
//! element may be unreachable instead: because the thread cannot have these own messages there (`own`), or because value
//! sets, which are proved by themselves, have no such controls and memory.

use super::own::Own;
use super::system::{Event, System, Transition};
use super::value_sets::ValueSets;
use crate::error::Reason;
use crate::line::Line;
use rustc_hash::{FxHashMap, FxHashSet};

/// A message of a load buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    pub location: u32,
    pub value: u32,
    pub own: bool,
}

impl Message {
    pub fn own(location: u32, value: u32) -> Self {
        Message {
            location,
            value,
            own: true,
        }
    }
}

/// Where a thread stands, and its buffer, oldest message first.
type Local = (u32, Vec<Message>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Element {
    locals: Vec<Option<Local>>,
    memory: Vec<Option<u32>>,
}

/// The elements of an invariant, each with its line.
#[derive(Default)]
pub struct LoadBuffers(FxHashMap<Element, u64>);

impl LoadBuffers {
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// Reads controls, memory, and for each thread that is not `*` the length of its buffer and the buffer, each message as location, value, and 1
    /// if it is the thread's own, else 0.
    pub fn read(&mut self, system: &System, mut line: Line<'_>, number: u64) -> Result<(), Reason> {
        let controls = system.controls(&mut line, Line::starred)?;
        let memory = system.memory(&mut line, Line::starred)?;
        let locals = controls.into_iter().map(|control| {
            let Some(control) = control else {
                return Ok(None);
            };
            let length = line.count()?;
            let buffer = (0..length).map(|_| message(system, &mut line));
            Ok(Some((control, buffer.collect::<Result<_, Reason>>()?)))
        });
        let locals = locals.collect::<Result<_, Reason>>()?;
        line.end()?;
        let before = self.0.insert(Element { locals, memory }, number);
        before.map_or(Ok(()), |_| Err(Reason::Twice))
    }

    /// That no step leads from outside into an element, and the start is outside.
    pub fn check(&self, system: &System, sets: Option<&ValueSets>) -> Result<(), Reason> {
        let own = system.threads.iter().map(Own::of);
        let own: Vec<Own> = own.collect::<Result<_, _>>()?;
        let mut known = Known::new(self.0.keys(), sets);
        for (number, goal) in system.goals.iter().enumerate() {
            let controls = goal.controls.iter();
            let goal = Element {
                locals: controls.map(|at| at.map(|at| (at, Vec::new()))).collect(),
                memory: goal.memory.clone(),
            };
            if !known.has(&goal) {
                return Err(Reason::GoalLeftOut(number as u64 + 1));
            }
        }
        for (element, &line) in &self.0 {
            if element.contains_start(system) {
                return Err(Reason::ContainsStart(line));
            }
            for (thread, own) in own.iter().enumerate() {
                for before in element.before(system, thread, own) {
                    if !known.has(&before) {
                        return Err(Reason::LeadsOut(line));
                    }
                }
            }
        }
        Ok(())
    }
}

fn message(system: &System, line: &mut Line<'_>) -> Result<Message, Reason> {
    let location = line.below(system.locations.len() as u64)?;
    let values = system.locations[location as usize].values;
    Ok(Message {
        location,
        value: line.below(values.into())?,
        own: line.below(2)? == 1,
    })
}

/// Whether every buffer above `large` is above `small`. From the newest message on, each of `small` is looked for in `large`, where only plain
/// messages may be left out before the oldest of `small` is found.
fn is_below(small: &[Message], large: &[Message]) -> bool {
    let mut left = large;
    for wanted in small.iter().rev() {
        loop {
            match left.split_last() {
                Some((found, rest)) if found == wanted => {
                    left = rest;
                    break;
                }
                Some((found, rest)) if !found.own => left = rest,
                _ => return false,
            }
        }
    }
    true
}

impl Element {
    fn contains_start(&self, system: &System) -> bool {
        let mut locals = self.locals.iter().flatten();
        let mut memory = self.memory.iter().zip(&system.locations);
        locals.all(|(state, buffer)| *state == 0 && buffer.is_empty())
            && memory.all(|(value, location)| value.is_none_or(|v| v == location.initial))
    }

    fn contains(&self, small: &Element) -> bool {
        let mut memory = self.memory.iter().zip(&small.memory);
        let mut locals = self.locals.iter().zip(&small.locals);
        memory.all(|(mine, theirs)| mine.is_none() || mine == theirs)
            && locals.all(|pair| match pair {
                (None, _) => true,
                (Some(_), None) => false,
                (Some((state, buffer)), Some((at, larger))) => {
                    state == at && is_below(buffer, larger)
                }
            })
    }

    /// Elements with all configurations from which a step of a thread, or of memory to its buffer, leads into this one. Steps from
    /// configurations that are in this element are left out.
    fn before(&self, system: &System, thread: usize, own: &Own) -> Vec<Element> {
        let transitions = &system.threads[thread].transitions;
        let mut into = Into {
            element: self,
            thread,
            own,
            found: Vec::new(),
        };
        match &self.locals[thread] {
            None => transitions.iter().for_each(|t| into.anywhere(t)),
            Some((state, buffer)) => {
                let here = transitions.iter().filter(|t| t.target == *state);
                here.for_each(|transition| into.step(transition, buffer));
                into.appended(*state, buffer);
            }
        }
        into.found
    }
}

/// What leads into an element.
struct Into<'a> {
    element: &'a Element,
    thread: usize,
    own: &'a Own,
    found: Vec<Element>,
}

impl Into<'_> {
    fn push(&mut self, state: u32, buffer: Vec<Message>, memory: Vec<Option<u32>>) {
        if self.own.allow(state, &buffer) {
            let mut locals = self.element.locals.clone();
            locals[self.thread] = Some((state, buffer));
            self.found.push(Element { locals, memory });
        }
    }

    /// Memory before a location got this value; nothing if it has another value in the element.
    fn memory(&self, location: u32, value: u32, before: Option<u32>) -> Option<Vec<Option<u32>>> {
        let mut memory = self.element.memory.clone();
        let held = std::mem::replace(&mut memory[location as usize], before);
        (held.is_none() || held == Some(value)).then_some(memory)
    }

    /// A transition of a thread that may be anywhere matters only if it writes what the element asks for.
    fn anywhere(&mut self, transition: &Transition) {
        let (location, value, before) = match transition.event {
            Event::Write(location, value) => (location, value, None),
            Event::Update(location, read, left) => (location, left, Some(read)),
            Event::Skip | Event::Fence | Event::Barrier(_) | Event::Read(..) => return,
        };
        if self.element.memory[location as usize] == Some(value)
            && let Some(memory) = self.memory(location, value, before)
        {
            self.push(transition.source, Vec::new(), memory);
        }
    }

    /// A transition to where the thread stands, with this buffer behind it.
    fn step(&mut self, transition: &Transition, buffer: &[Message]) {
        let source = transition.source;
        let unchanged = || self.element.memory.clone();
        match transition.event {
            Event::Skip | Event::Barrier(_) => {
                let memory = unchanged();
                self.push(source, buffer.to_vec(), memory);
            }
            Event::Fence if buffer.is_empty() => {
                let memory = unchanged();
                self.push(source, Vec::new(), memory);
            }
            Event::Update(location, read, left) if buffer.is_empty() => {
                if let Some(memory) = self.memory(location, left, Some(read)) {
                    self.push(source, Vec::new(), memory);
                }
            }
            Event::Fence | Event::Update(..) => {}
            Event::Write(location, value) => self.write(source, buffer, location, value),
            Event::Read(location, value) => self.read(source, buffer, location, value),
        }
    }

    /// The newest message after a write is its own. It may have taken an older own message out; one before all of the rest is in what is
    /// above the rest.
    fn write(&mut self, source: u32, buffer: &[Message], location: u32, value: u32) {
        let Some(memory) = self.memory(location, value, None) else {
            return;
        };
        let Some((newest, rest)) = buffer.split_last() else {
            return self.push(source, Vec::new(), memory);
        };
        if *newest != Message::own(location, value) {
            return;
        }
        self.push(source, rest.to_vec(), memory.clone());
        let messages = self.own.lists(source).flatten();
        let older: FxHashSet<Message> = messages
            .copied()
            .filter(|m| m.location == location)
            .collect();
        for message in older {
            for place in 1..=rest.len() {
                let mut longer = rest.to_vec();
                longer.insert(place, message);
                self.push(source, longer, memory.clone());
            }
        }
    }

    /// A read takes an own message, or the oldest. If that is not in the element's buffer, it stands before it, and between them there
    /// may be more own messages, which are deleted later.
    fn read(&mut self, source: u32, buffer: &[Message], location: u32, value: u32) {
        let is_own = |message: &&Message| message.own && message.location == location;
        let memory = &self.element.memory;
        if let Some(taken) = buffer.iter().find(is_own) {
            if taken.value == value {
                self.push(source, buffer.to_vec(), memory.clone());
            }
            return;
        }
        let plain = Message {
            location,
            value,
            own: false,
        };
        if buffer.first() == Some(&plain) {
            self.push(source, buffer.to_vec(), memory.clone());
        }
        let kept: Vec<Message> = buffer.iter().copied().filter(|m| m.own).collect();
        for list in self.own.lists(source) {
            let Some(deleted) = list.strip_suffix(kept.as_slice()) else {
                continue;
            };
            let mut longer = match deleted.iter().position(|m| m.location == location) {
                None => vec![plain],
                Some(0) if deleted[0].value == value => Vec::new(),
                // Older messages than the one that is taken are in what is above.
                Some(_) => continue,
            };
            longer.extend(deleted);
            longer.extend(buffer);
            self.push(source, longer, memory.clone());
        }
    }

    /// Memory has appended the newest message.
    fn appended(&mut self, state: u32, buffer: &[Message]) {
        if let Some((newest, rest)) = buffer.split_last()
            && !newest.own
            && let Some(memory) = self.memory(newest.location, newest.value, Some(newest.value))
        {
            self.push(state, rest.to_vec(), memory);
        }
    }
}

type Controls = Vec<Option<u32>>;

/// What is in the elements, or is unreachable, in tables by controls.
struct Known<'a> {
    elements: FxHashMap<Controls, Vec<&'a Element>>,
    sets: Option<&'a ValueSets>,
    /// For each set of threads that was asked for, memories by the controls of these threads.
    reachable: FxHashMap<Vec<bool>, FxHashMap<Controls, FxHashSet<&'a [u32]>>>,
}

impl<'a> Known<'a> {
    fn new(elements: impl Iterator<Item = &'a Element>, sets: Option<&'a ValueSets>) -> Self {
        let mut known = Known {
            elements: FxHashMap::default(),
            sets,
            reachable: FxHashMap::default(),
        };
        for element in elements {
            let group = known.elements.entry(controls(element)).or_default();
            group.push(element);
        }
        known
    }

    fn has(&mut self, element: &Element) -> bool {
        self.contain(element, &mut controls(element), 0) || !self.is_reachable(element)
    }

    /// Whether an element with some of these threads, from this one on, contains it.
    fn contain(&self, element: &Element, kept: &mut Controls, from: usize) -> bool {
        let Some(thread) = (from..kept.len()).find(|thread| kept[*thread].is_some()) else {
            let group = self.elements.get(kept).into_iter().flatten();
            return group.into_iter().any(|known| known.contains(element));
        };
        if self.contain(element, kept, thread + 1) {
            return true;
        }
        let left_out = kept[thread].take();
        let found = self.contain(element, kept, thread + 1);
        kept[thread] = left_out;
        found
    }

    fn is_reachable(&mut self, element: &Element) -> bool {
        let Some(sets) = self.sets else {
            return true;
        };
        let wanted = controls(element);
        let named: Vec<bool> = wanted.iter().map(Option::is_some).collect();
        let table = self.reachable.entry(named).or_insert_with_key(|named| {
            let mut table: FxHashMap<Controls, FxHashSet<&[u32]>> = FxHashMap::default();
            for shared in sets.shared() {
                let (controls, memory) = shared.split_at(named.len());
                let controls = controls.iter().zip(named);
                let controls = controls.map(|(at, named)| named.then_some(*at)).collect();
                table.entry(controls).or_default().insert(memory);
            }
            table
        });
        let memories = table.get(&wanted).into_iter().flatten();
        let mut memories = memories.filter(|memory| {
            let mut pairs = element.memory.iter().zip(memory.iter());
            pairs.all(|(wanted, found)| wanted.is_none_or(|wanted| wanted == *found))
        });
        memories.next().is_some()
    }
}

fn controls(element: &Element) -> Controls {
    let locals = element.locals.iter();
    locals
        .map(|local| local.as_ref().map(|(at, _)| *at))
        .collect()
}
