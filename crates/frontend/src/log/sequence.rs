//! Puts the rows of a log with indices into an order in which the execution can have happened.
//!
//! Program order and conflict order have to be kept: a write comes after the write with the index before
//! and after all loads of that index, a load after the write of its own index; what a thread does comes after
//! its start, and joining it comes after all that it does. Of the rows that can come next the one that
//! stands first in the log does. If none can, the two orders have a cycle, and the execution is
//! not sequentially consistent.

use super::{Error, Indexed, Tables};
use program::{LogEvent, LogOperation};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The rows in an order in which they can have happened.
pub(super) fn sequence(
    name: &str,
    tables: &Tables,
    rows: &[Indexed],
) -> Result<Vec<LogEvent>, Error> {
    let mut sorter = Sorter::new(name, tables, rows)?;
    let order = sorter.run();
    match order.len() == rows.len() {
        true => Ok(order),
        false => Err(sorter.cycle()),
    }
}

/// The index of a row in the log.
type Place = usize;

const NONE: u32 = u32::MAX;

struct Sorter<'a> {
    name: &'a str,
    tables: &'a Tables,
    rows: &'a [Indexed],
    threads: Vec<Thread>,
    locations: Vec<Location>,
    /// Threads that may be able to go on, by the place of their next row.
    ready: BinaryHeap<Reverse<(Place, u32)>>,
}

#[derive(Default)]
struct Thread {
    rows: Vec<u32>,
    done: usize,
    /// The row that starts it, until that has happened.
    start: Option<u32>,
    /// Threads that wait for its start or end.
    waiting: Vec<u32>,
}

#[derive(Default)]
struct Location {
    /// The places of its writes, by index from 1.
    writes: Vec<u32>,
    /// How many loads there are still to come, by index from 0.
    loads: Vec<u32>,
    written: u32,
    /// Threads that wait for something to happen to it.
    waiting: Vec<u32>,
}

/// What keeps a row from happening.
enum Obstacle {
    Location(u32),
    Thread(u32),
}

impl<'a> Sorter<'a> {
    fn new(name: &'a str, tables: &'a Tables, rows: &'a [Indexed]) -> Result<Self, Error> {
        let mut sorter = Sorter {
            name,
            tables,
            rows,
            threads: Vec::new(),
            locations: Vec::new(),
            ready: BinaryHeap::new(),
        };
        sorter
            .threads
            .resize_with(tables.threads.len(), Thread::default);
        sorter
            .locations
            .resize_with(tables.locations.len(), Location::default);
        for (event, _) in rows.iter().filter(|(event, _)| event.operation.writes()) {
            sorter.locations[event.address as usize].writes.push(NONE);
        }
        for location in &mut sorter.locations {
            location.loads = vec![0; location.writes.len() + 1];
        }
        for (place, (event, index)) in rows.iter().enumerate() {
            sorter.threads[event.thread as usize]
                .rows
                .push(place as u32);
            if event.operation == LogOperation::Start {
                sorter.start(place, event)?;
            }
            if let Some(index) = *index {
                sorter.index(place, event, index)?;
            }
        }
        Ok(sorter)
    }

    fn complain(&self, line: u32, message: String) -> Error {
        Error::line(self.name, line, &message)
    }

    fn start(&mut self, place: Place, event: &LogEvent) -> Result<(), Error> {
        let thread = &mut self.threads[event.address as usize];
        match thread.start.replace(place as u32) {
            None => Ok(()),
            Some(first) => {
                let name = self.tables.threads.name(event.address);
                let first = self.rows[first as usize].0.line;
                let message = format!("thread {name} is started twice, first in line {first}");
                Err(self.complain(event.line, message))
            }
        }
    }

    fn index(&mut self, place: Place, event: &LogEvent, index: u32) -> Result<(), Error> {
        let location = &mut self.locations[event.address as usize];
        let most = location.writes.len() as u32;
        let name = || self.tables.locations.name(event.address);
        if !event.operation.writes() {
            if index <= most {
                location.loads[index as usize] += 1;
                return Ok(());
            }
            let message = format!("there is no write {index} of {}, only {most}", name());
            return Err(self.complain(event.line, message));
        }
        if index == 0 || index > most {
            let (name, plural) = (name(), if most == 1 { "" } else { "s" });
            let message = format!(
                "write {index} of {name}, which has {most} write{plural}, with indices from 1 on"
            );
            return Err(self.complain(event.line, message));
        }
        let known = &mut location.writes[index as usize - 1];
        if *known != NONE {
            let other = self.rows[*known as usize].0.line;
            let message = format!("write {index} of {} stands in line {other} already", name());
            return Err(self.complain(event.line, message));
        }
        *known = place as u32;
        Ok(())
    }

    fn run(&mut self) -> Vec<LogEvent> {
        let mut order = Vec::with_capacity(self.rows.len());
        for thread in 0..self.threads.len() as u32 {
            self.wake(thread);
        }
        while let Some(Reverse((place, thread))) = self.ready.pop() {
            match self.obstacle(place) {
                None => {
                    order.push(self.rows[place].0);
                    self.perform(place);
                    self.wake(thread);
                }
                Some(Obstacle::Location(location)) => {
                    self.locations[location as usize].waiting.push(thread);
                }
                Some(Obstacle::Thread(other)) => {
                    self.threads[other as usize].waiting.push(thread);
                }
            }
        }
        order
    }

    fn next(&self, thread: u32) -> Option<Place> {
        let thread = &self.threads[thread as usize];
        thread.rows.get(thread.done).map(|place| *place as Place)
    }

    fn wake(&mut self, thread: u32) {
        if let Some(place) = self.next(thread) {
            self.ready.push(Reverse((place, thread)));
        }
    }

    fn obstacle(&self, place: Place) -> Option<Obstacle> {
        let (event, index) = &self.rows[place];
        if self.threads[event.thread as usize].start.is_some() {
            return Some(Obstacle::Thread(event.thread));
        }
        if event.operation == LogOperation::Join && self.next(event.address).is_some() {
            return Some(Obstacle::Thread(event.address));
        }
        let index = (*index)?;
        let location = &self.locations[event.address as usize];
        let ready = match event.operation.writes() {
            true => location.written + 1 == index && location.loads[index as usize - 1] == 0,
            false => location.written == index,
        };
        (!ready).then_some(Obstacle::Location(event.address))
    }

    fn perform(&mut self, place: Place) {
        let (event, index) = &self.rows[place];
        let thread = &mut self.threads[event.thread as usize];
        thread.done += 1;
        let mut woken = Vec::new();
        if thread.done == thread.rows.len() {
            woken.append(&mut thread.waiting);
        }
        if event.operation == LogOperation::Start {
            let other = &mut self.threads[event.address as usize];
            other.start = None;
            woken.append(&mut other.waiting);
        }
        if let Some(index) = index {
            let location = &mut self.locations[event.address as usize];
            match event.operation.writes() {
                true => location.written = *index,
                false => location.loads[*index as usize] -= 1,
            }
            if event.operation.writes() || location.loads[*index as usize] == 0 {
                woken.append(&mut location.waiting);
            }
        }
        for thread in woken {
            self.wake(thread);
        }
    }

    /// Follows what each thread waits for until a thread comes again.
    fn cycle(&self) -> Error {
        let stuck = |thread: &u32| self.next(*thread).is_some();
        let first = (0..self.threads.len() as u32).find(stuck);
        let mut links: Vec<(Place, Place)> = Vec::new();
        let mut at = first.and_then(|thread| self.next(thread));
        while let Some(place) = at {
            let thread = self.rows[place].0.thread;
            let again = |(link, _): &(Place, Place)| self.rows[*link].0.thread == thread;
            if let Some(start) = links.iter().position(again) {
                links.drain(..start);
                break;
            }
            let Some(awaited) = self.awaited(place) else {
                break;
            };
            links.push((place, awaited));
            at = self.next(self.rows[awaited].0.thread);
        }
        let line = |place: Place| self.rows[place].0.line;
        let lowest = (0..links.len()).min_by_key(|link| line(links[*link].0));
        links.rotate_left(lowest.unwrap_or(0));
        let shown = links.first().map_or(0, |(place, _)| line(*place));
        let steps = links.iter().map(|(place, awaited)| {
            let awaited = self.tell(*awaited);
            format!("{} comes after {awaited}", self.tell(*place))
        });
        Error::not_sequential(self.name, shown, steps.collect::<Vec<_>>().join("; "))
    }

    /// `line 3 (load 2 of x by thread 1)`.
    fn tell(&self, place: Place) -> String {
        let (event, index) = &self.rows[place];
        let (line, operation) = (event.line, event.operation.name());
        let thread = self.tables.threads.name(event.thread);
        match index {
            Some(index) => {
                let location = self.tables.locations.name(event.address);
                format!("line {line} ({operation} {index} of {location} by thread {thread})")
            }
            None => format!("line {line} ({operation} by thread {thread})"),
        }
    }

    /// A row that has to come before this one, and has not.
    fn awaited(&self, place: Place) -> Option<Place> {
        let (event, index) = &self.rows[place];
        if let Some(start) = self.threads[event.thread as usize].start {
            return Some(start as Place);
        }
        if event.operation == LogOperation::Join {
            let last = self.threads[event.address as usize].rows.last();
            return last.map(|place| *place as Place);
        }
        let location = &self.locations[event.address as usize];
        let index = (*index)?;
        let write = |index: u32| location.writes[index as usize - 1] as Place;
        if !event.operation.writes() {
            return Some(write(index));
        }
        if location.written + 1 < index {
            return Some(write(index - 1));
        }
        (0..self.rows.len()).find(|place| {
            let (other, number) = &self.rows[*place];
            let thread = &self.threads[other.thread as usize];
            let next = thread.rows.get(thread.done);
            let waits = next.is_some_and(|next| *next as Place <= *place);
            waits
                && !other.operation.writes()
                && other.address == event.address
                && *number == Some(index - 1)
        })
    }
}
