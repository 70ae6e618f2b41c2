//! A machine with store buffers, tried in every way, that shares nothing with the monitor: does a
//! program have an execution whose trace is not sequentially consistent?

use crate::sketch::*;
use memory::Model;
use std::collections::HashSet;

/// An operation of the program: thread and index.
type Event = (usize, usize);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Waiting {
    Store(u32, Event),
    Barrier(LogBarrier),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum LogBarrier {
    StoreStore,
    StoreLoad,
}

/// The state of the machine, with the trace so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    done: Vec<usize>,
    buffers: Vec<Vec<Waiting>>,
    /// The writes of each location in the order in which they reached memory.
    memory: Vec<Vec<Event>>,
    /// What each read read, in the order of threads and operations.
    read: Vec<Vec<Option<Event>>>,
}

/// Whether store buffers give the program a trace that sequential consistency does not have.
pub fn has_other_trace(sketch: &Sketch, model: Model) -> bool {
    let threads = sketch.0.len();
    let start = State {
        done: vec![0; threads],
        buffers: vec![Vec::new(); threads],
        memory: vec![Vec::new(); 3],
        read: sketch
            .0
            .iter()
            .map(|thread| vec![None; thread.len()])
            .collect(),
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let mut next = Vec::new();
        for thread in 0..threads {
            next.extend(step(sketch, model, &state, thread));
            next.extend(commits(model, &state, thread));
        }
        if next.is_empty() && is_cyclic(sketch, &state) {
            return true;
        }
        open.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
    }
    false
}

/// The oldest stores that may reach memory now.
fn commits(model: Model, state: &State, thread: usize) -> Vec<State> {
    let buffer = &state.buffers[thread];
    let mut next = Vec::new();
    for (index, waiting) in buffer.iter().enumerate() {
        let Waiting::Store(place, event) = *waiting else {
            continue;
        };
        let held = buffer[..index].iter().any(|earlier| match earlier {
            Waiting::Store(other, _) => model == Model::Tso || *other == place,
            Waiting::Barrier(barrier) => *barrier == LogBarrier::StoreStore,
        });
        if held {
            continue;
        }
        let mut after = state.clone();
        after.buffers[thread].remove(index);
        // Barriers with nothing before them hold nothing back.
        let buffer = &mut after.buffers[thread];
        while matches!(buffer.first(), Some(Waiting::Barrier(_))) {
            buffer.remove(0);
        }
        after.memory[place as usize].push(event);
        next.push(after);
    }
    next
}

/// The thread's next operation, if it may go on.
fn step(sketch: &Sketch, model: Model, state: &State, thread: usize) -> Option<State> {
    let index = state.done[thread];
    if !sketch.may_step(&state.done, thread) {
        return None;
    }
    let (operation, address) = sketch.0[thread][index];
    let place = address as usize;
    let buffer = &state.buffers[thread];
    let stores = |wanted: Option<u32>| {
        let store = |waiting: &&Waiting| match waiting {
            Waiting::Store(place, _) => wanted.is_none_or(|wanted| wanted == *place),
            Waiting::Barrier(_) => false,
        };
        buffer.iter().rev().find(store)
    };
    let barrier = |wanted| buffer.contains(&Waiting::Barrier(wanted));
    let ready = match (operation, model) {
        (Load, _) => !barrier(LogBarrier::StoreLoad),
        (Interlocked | FailedInterlocked, Model::Pso) => {
            !barrier(LogBarrier::StoreLoad)
                && !barrier(LogBarrier::StoreStore)
                && stores(Some(address)).is_none()
        }
        (Interlocked | FailedInterlocked | Fence | Start, _) => buffer.is_empty(),
        (StoreLoadFence, Model::Tso) => buffer.is_empty(),
        (Join, _) => state.buffers[place].is_empty(),
        (Store | StoreStoreFence | StoreLoadFence, _) => true,
    };
    if !ready {
        return None;
    }
    let mut after = state.clone();
    after.done[thread] += 1;
    let event = (thread, index);
    let newest = |state: &State| state.memory[place].last().copied();
    match operation {
        Load => {
            after.read[thread][index] = match stores(Some(address)) {
                Some(Waiting::Store(_, event)) => Some(*event),
                _ => newest(state),
            };
        }
        Store => after.buffers[thread].push(Waiting::Store(address, event)),
        Interlocked => {
            after.read[thread][index] = newest(state);
            after.memory[place].push(event);
        }
        FailedInterlocked => after.read[thread][index] = newest(state),
        StoreStoreFence | StoreLoadFence if model == Model::Pso && !buffer.is_empty() => {
            let barrier = match operation {
                StoreStoreFence => LogBarrier::StoreStore,
                _ => LogBarrier::StoreLoad,
            };
            after.buffers[thread].push(Waiting::Barrier(barrier));
        }
        _ => {}
    }
    Some(after)
}

/// Whether program order, reads-from, coherence and from-read have a cycle.
fn is_cyclic(sketch: &Sketch, state: &State) -> bool {
    let events: Vec<Event> = (0..sketch.0.len())
        .flat_map(|thread| (0..sketch.0[thread].len()).map(move |index| (thread, index)))
        .collect();
    let operation = |event: Event| sketch.0[event.0][event.1];
    let position = |place: u32, event: Event| {
        let writes = &state.memory[place as usize];
        writes.iter().position(|write| *write == event)
    };
    let edge = |e: Event, f: Event| {
        let ((first, place), (second, other)) = (operation(e), operation(f));
        if e.0 == f.0 {
            return e.1 < f.1;
        }
        if (first == Start && place as usize == f.0) || (second == Join && other as usize == e.0) {
            return true;
        }
        if !first.is_access() || !second.is_access() || place != other {
            return false;
        }
        let read = |event: Event| state.read[event.0][event.1];
        let reads_from = second.reads() && read(f) == Some(e);
        let coherence =
            first.writes() && second.writes() && position(place, e) < position(place, f);
        let seen = read(e).and_then(|write| position(place, write));
        let from_read = first.reads() && second.writes() && position(place, f) > seen;
        reads_from || coherence || from_read
    };
    let mut left = events;
    loop {
        let free = |event: &Event| {
            !left
                .iter()
                .any(|other| other != event && edge(*other, *event))
        };
        let Some(place) = left.iter().position(free) else {
            return !left.is_empty();
        };
        left.remove(place);
    }
}
