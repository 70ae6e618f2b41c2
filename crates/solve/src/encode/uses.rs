//! What is refused, or left out, for the values that pointers and handles may have: what the
//! unrolled program does not know, ranges do.
//!
//! - **Mutexes** are followed as plain ones. Their kind lies in their own bytes, where static
//!   initialisers put it; the other kinds are refused. `pthread_mutex_init` with attributes is refused before.
//! - **Joins.** A thread that joins itself is refused, as the call returns. A thread is numbered
//!   after the one that starts it, so threads that join only threads with larger numbers do not wait for
//!   each other in a circle; others may deadlock. A thread that the same thread has joined or detached before is
//!   wrong where both handles are known; whether that happens otherwise is not looked at, and the result says so.

use super::locations::Locations;
use crate::guard::Guard;
use crate::range::{Range, Ranges};
use crate::refusal::NotSolvable;
use crate::unroll::{Failure, FenceAt, Unrolled, Wrong, handle};
use answer::{Fault, FaultKind};
use program::mutex::{KIND, PLAIN};
use program::{Program, Word};

const KIND_BYTES: u32 = 4;

/// Refuses mutexes of other kinds than the plain one.
pub fn check_mutexes(
    program: &Program,
    unrolled: &Unrolled,
    ranges: &Ranges,
    locations: &Locations,
) -> Result<(), NotSolvable> {
    let mut plain: Vec<Word> = Vec::new();
    for &event in &unrolled.mutexes {
        for &mutex in &locations.addresses[event] {
            if plain.contains(&mutex) {
                continue;
            }
            if !is_plain(program, unrolled, ranges, locations, mutex + KIND) {
                return Err(NotSolvable {
                    message: "a mutex of another kind than the plain one".to_owned(),
                    span: unrolled.events[event].span,
                });
            }
            plain.push(mutex);
        }
    }
    Ok(())
}

/// Whether the kind of a mutex, which lies there, is always that of a plain one.
fn is_plain(
    program: &Program,
    unrolled: &Unrolled,
    ranges: &Ranges,
    locations: &Locations,
    kind: Word,
) -> bool {
    let initial = unrolled.initial(program, kind, KIND_BYTES);
    if initial.is_some_and(|(word, undefined)| !PLAIN.contains(&(word & !undefined))) {
        return false;
    }
    let end = kind + Word::from(KIND_BYTES);
    unrolled.events.iter().enumerate().all(|(index, event)| {
        let Some(stored) = event.stored else {
            return true;
        };
        let bytes = Word::from(event.width.bytes());
        let mut addresses = locations.addresses[index].iter();
        if !addresses.any(|&at| at < end && kind < at + bytes) {
            return true;
        }
        let values = ranges.of(stored.value).values();
        values.is_some_and(|mut values| values.all(|value| value.is_defined() && value.word == 0))
    })
}

/// Notes whether threads may wait for each other to end; refuses threads that may join themselves.
pub fn check_joins(unrolled: &mut Unrolled, ranges: &Ranges) -> Result<(), NotSolvable> {
    check_partings(unrolled, ranges);
    for fence in &unrolled.fences {
        let FenceAt::Join(joined) = fence.at else {
            continue;
        };
        let own = handle(fence.thread);
        let refusal = |message: &str| NotSolvable {
            message: message.to_owned(),
            span: fence.span,
        };
        let Some(values) = ranges.of(joined).values() else {
            return Err(refusal("a join of a thread whose handle is computed"));
        };
        for value in values.filter(|value| value.is_defined()) {
            if value.word == own {
                return Err(refusal("a thread that may join itself"));
            }
            unrolled.waits |= (1..own).contains(&value.word);
        }
    }
    Ok(())
}

/// Notes which threads are joined or detached twice, for sure or perhaps.
fn check_partings(unrolled: &mut Unrolled, ranges: &Ranges) {
    let partings = std::mem::take(&mut unrolled.partings);
    for (index, later) in partings.iter().enumerate() {
        for earlier in &partings[..index] {
            let [first, second] = [earlier, later].map(|parting| ranges.of(parting.handle));
            if !may_be_same_thread(first, second) {
                continue;
            }
            let both = unrolled.terms.guards.and(earlier.guard, later.guard);
            if both == Guard::FALSE {
                continue;
            }
            let known = only_thread(first).is_some() && only_thread(first) == only_thread(second);
            if !known || earlier.thread != later.thread {
                unrolled.ends_lives = true;
                continue;
            }
            let name = later.routine.name();
            let message = format!("{name}: the thread is detached or was joined before");
            unrolled.wrongs.push(Wrong {
                guard: both,
                thread: later.thread,
                span: later.span,
                position: later.position,
                what: Failure::Fault(Fault::new(FaultKind::Misuse, message)),
            });
        }
    }
    unrolled.partings = partings;
}

/// The thread of a handle that is defined and not 0, if there is only one.
fn only_thread(handle: &Range) -> Option<Word> {
    let values = handle.values()?.filter(|value| value.is_defined());
    let mut handles = values.map(|value| value.word).filter(|word| *word != 0);
    let first = handles.next()?;
    handles.all(|other| other == first).then_some(first)
}

/// Whether two handles may be those of one thread.
fn may_be_same_thread(first: &Range, second: &Range) -> bool {
    let (Some(first), Some(second)) = (first.values(), second.values()) else {
        return true;
    };
    let mut handles = first.map(|value| value.word).filter(|handle| *handle != 0);
    handles.any(|handle| second.clone().any(|value| value.word == handle))
}
