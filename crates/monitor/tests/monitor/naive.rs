//! The definitions read literally: relations as sets of pairs, their closure by trying all paths, and
//! the monitor with complete histories.

use crate::sketch::*;
use memory::Model;
use program::LogEvent;

/// Which program order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    HappensBefore,
    Relaxed(Model),
    /// Relaxed happens-before under TSO as the paper defines it.
    Paper,
}

/// Whether program order from `e` to `f`, two events of one thread, counts.
pub fn keeps(order: Order, e: &LogEvent, f: &LogEvent) -> bool {
    let same = e.address == f.address;
    match order {
        Order::HappensBefore => true,
        Order::Relaxed(Model::Tso) | Order::Paper => match (e.operation, f.operation) {
            // It is no event under TSO.
            (StoreStoreFence, _) | (_, StoreStoreFence) => false,
            (Store, Load | Join) => false,
            _ => true,
        },
        Order::Relaxed(_) => match (e.operation, f.operation) {
            (Load | Interlocked | FailedInterlocked | Fence | Start | Join, _) => true,
            (_, Fence | Start) => true,
            (Store, Store | Interlocked | FailedInterlocked) => same,
            (Store, StoreStoreFence | StoreLoadFence) => true,
            (Store, Load | Join) => false,
            (StoreStoreFence, after) => {
                matches!(
                    after,
                    Store | Interlocked | FailedInterlocked | StoreStoreFence
                )
            }
            (StoreLoadFence, after) => {
                matches!(
                    after,
                    Load | Interlocked | FailedInterlocked | StoreLoadFence
                )
            }
        },
    }
}

/// Whether `e` comes directly before `f` by program order, or by starting or joining a thread; `e`
/// stands before `f`.
fn precedes_by_thread(order: Order, e: &LogEvent, f: &LogEvent) -> bool {
    let silent = |event: &LogEvent| {
        let tso = matches!(order, Order::Relaxed(Model::Tso) | Order::Paper);
        tso && event.operation == StoreStoreFence
    };
    if silent(e) || silent(f) {
        return false;
    }
    let started = e.operation == Start && e.address == f.thread;
    let joined = f.operation == Join && f.address == e.thread;
    started || joined || (e.thread == f.thread && keeps(order, e, f))
}

/// Whether the load at `index` reads a store of its own thread, which may still wait in the buffer.
fn reads_own_store(events: &[LogEvent], index: usize) -> bool {
    let load = &events[index];
    let same = |e: &&LogEvent| e.operation.writes() && e.address == load.address;
    let newest = events[..index].iter().rfind(same);
    load.operation == Load
        && newest.is_some_and(|write| write.operation == Store && write.thread == load.thread)
}

/// Whether one event of a sequentially consistent execution comes directly before a later one.
fn precedes(order: Order, events: &[LogEvent], earlier: usize, later: usize) -> bool {
    let (e, f) = (&events[earlier], &events[later]);
    let accesses = e.operation.is_access() && f.operation.is_access();
    let conflict =
        accesses && e.address == f.address && (e.operation.writes() || f.operation.writes());
    let left_out = match order {
        Order::HappensBefore => false,
        Order::Relaxed(_) => reads_own_store(events, later),
        Order::Paper => e.thread == f.thread && !keeps(order, e, f),
    };
    precedes_by_thread(order, e, f) || (conflict && !left_out)
}

/// The transitive closure, as rows of what is before each event.
pub fn closure(order: Order, events: &[LogEvent]) -> Vec<Vec<bool>> {
    let mut before: Vec<Vec<bool>> = Vec::new();
    for index in 0..events.len() {
        let mut row = vec![false; events.len()];
        for earlier in 0..index {
            if precedes(order, events, earlier, index) {
                row[earlier] = true;
                for (known, more) in row.iter_mut().zip(&before[earlier]) {
                    *known |= more;
                }
            }
        }
        before.push(row);
    }
    before
}

/// Fig. 2, read literally, with all borderline points rather than the first: lines of the access and of
/// the write that it could miss. Under PSO writes are looked at as well, and come before no
/// interlocked operation.
pub fn monitor(model: Model, events: &[LogEvent]) -> Vec<(u32, u32)> {
    monitor_by(Order::Relaxed(model), events)
}

/// The same, with another relaxed happens-before.
pub fn monitor_by(order: Order, events: &[LogEvent]) -> Vec<(u32, u32)> {
    let happens_before = closure(Order::HappensBefore, events);
    let relaxed = closure(order, events);
    let mut found = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let operation = event.operation;
        if !operation.is_access() || (order != Order::Relaxed(Model::Pso) && operation.writes()) {
            continue;
        }
        let before = |order: Order, closure: &[Vec<bool>], write: usize| {
            let last = |last: &usize| precedes_by_thread(order, &events[*last], event);
            (0..index)
                .filter(last)
                .any(|last| last == write || closure[last][write])
        };
        for write in (0..index).rev() {
            let other = &events[write];
            if !other.operation.writes() || other.address != event.address {
                continue;
            }
            if other.thread == event.thread
                || before(order, &relaxed, write)
                || (operation.writes() && other.operation == Interlocked)
            {
                break;
            }
            if before(Order::HappensBefore, &happens_before, write) {
                found.push((event.line, other.line));
                break;
            }
        }
    }
    found
}
