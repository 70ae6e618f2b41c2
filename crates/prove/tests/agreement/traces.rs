//! Whether every trace under TSO is one of SC, by trying every computation with unbounded store buffers. Only for automata without cycles.

use prove::automaton::{Event, System};

#[derive(Clone)]
struct Machine {
    at: Vec<u32>,
    /// The value of each location, and the event that wrote it.
    memory: Vec<(u16, Option<usize>)>,
    /// Location, value and event of each store.
    stores: Vec<Vec<(u16, u16, usize)>>,
    trace: Trace,
}

/// Events with edges of program order, reads-from, coherence and from-read.
#[derive(Clone, Default)]
struct Trace {
    threads: Vec<usize>,
    /// For each read: the event, its location, and the event that it reads from.
    reads: Vec<(usize, u16, Option<usize>)>,
    /// The writes of all locations in the order of memory.
    coherence: Vec<(u16, usize)>,
}

impl Trace {
    fn add(&mut self, thread: usize) -> usize {
        self.threads.push(thread);
        self.threads.len() - 1
    }

    fn is_sequential(&self) -> bool {
        let count = self.threads.len();
        let mut edges = vec![Vec::new(); count];
        for (first, thread) in self.threads.iter().enumerate() {
            let rest = first + 1..count;
            let same = rest.filter(|second| self.threads[*second] == *thread);
            edges[first].extend(same);
        }
        for (index, (location, write)) in self.coherence.iter().enumerate() {
            let later = self.coherence[index + 1..].iter();
            let later = later.filter(|(other, _)| other == location);
            edges[*write].extend(later.map(|(_, other)| *other));
        }
        for (read, location, source) in &self.reads {
            if let Some(source) = source {
                edges[*source].push(*read);
            }
            let writes = self.coherence.iter().filter(|(at, _)| at == location);
            let writes: Vec<usize> = writes.map(|(_, write)| *write).collect();
            let place = source.map(|source| writes.iter().position(|write| *write == source));
            let after = place.map_or(0, |place| place.expect("a write in memory") + 1);
            let later = writes[after..].iter().filter(|write| *write != read);
            edges[*read].extend(later);
        }
        // Take away what nothing comes before, until nothing is left.
        let mut left: Vec<usize> = (0..count).collect();
        loop {
            let before = left.len();
            let kept = left.clone();
            let preceded = |event: &usize| kept.iter().any(|other| edges[*other].contains(event));
            left.retain(preceded);
            if left.len() == before {
                return left.is_empty();
            }
        }
    }
}

/// Whether every trace is one of SC; nothing if there are more than `most` steps to try.
pub fn is_robust(system: &System, most: usize) -> Option<bool> {
    let start = Machine {
        at: vec![0; system.automata.len()],
        memory: system
            .locations
            .iter()
            .map(|location| (location.initial.0, None))
            .collect(),
        stores: vec![Vec::new(); system.automata.len()],
        trace: Trace::default(),
    };
    let mut work = vec![start];
    let mut steps = 0;
    while let Some(machine) = work.pop() {
        let next = successors(system, &machine);
        if next.is_empty() && !machine.trace.is_sequential() {
            return Some(false);
        }
        steps += next.len();
        if steps > most {
            return None;
        }
        work.extend(next);
    }
    Some(true)
}

fn successors(system: &System, machine: &Machine) -> Vec<Machine> {
    let mut found = Vec::new();
    for thread in 0..machine.at.len() {
        let buffer = &machine.stores[thread];
        if let Some(&(location, value, event)) = buffer.first() {
            let mut next = machine.clone();
            next.stores[thread].remove(0);
            next.memory[usize::from(location)] = (value, Some(event));
            next.trace.coherence.push((location, event));
            found.push(next);
        }
        let transitions = &system.automata[thread].states[machine.at[thread] as usize].transitions;
        for transition in transitions {
            let mut next = machine.clone();
            next.at[thread] = transition.target.0;
            let possible = match transition.event {
                Event::Skip => true,
                Event::Fence => buffer.is_empty(),
                Event::Read(location, value) => {
                    let own = buffer.iter().rev().find(|(at, ..)| *at == location.0);
                    let own = own.map(|(_, value, event)| (*value, Some(*event)));
                    let (held, source) = own.unwrap_or(machine.memory[location.index()]);
                    let event = next.trace.add(thread);
                    next.trace.reads.push((event, location.0, source));
                    held == value.0
                }
                Event::Write(location, value) => {
                    let event = next.trace.add(thread);
                    next.stores[thread].push((location.0, value.0, event));
                    true
                }
                Event::Update {
                    location,
                    read,
                    written,
                } => {
                    let (held, source) = machine.memory[location.index()];
                    let event = next.trace.add(thread);
                    next.trace.reads.push((event, location.0, source));
                    if let Some(written) = written {
                        next.memory[location.index()] = (written.0, Some(event));
                        next.trace.coherence.push((location.0, event));
                    }
                    held == read.0 && buffer.is_empty()
                }
                Event::Barrier(_) => unreachable!("not under TSO"),
            };
            if possible {
                found.push(next);
            }
        }
    }
    found
}
