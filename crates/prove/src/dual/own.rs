//! Which sequences of own messages a thread can have in its load buffer in each state.
//!
//! Since its last fence or read-modify-write a thread has written some locations; ordered by the last write to each, these writes
//! are a *list*. The own messages in the thread's buffer are always a suffix of the list: a write moves its location to the
//! end of both, a deletion takes the head of the buffer, and a fence empties both. The lists of a state come from the
//! automaton alone, by a forward fixpoint.

use super::buffer::{Message, own_messages};
use crate::automaton::{Automaton, Event, Location, StateId, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use thiserror::Error;

/// Most sequences that are kept for one thread.
const MOST_SEQUENCES: usize = 200_000;

/// A thread writes too many locations in too many orders without a fence.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("more than {MOST_SEQUENCES} orders in which a thread writes locations without a fence")]
pub struct TooManyOwnSequences;

type Sequence = Box<[Message]>;

/// The sequences of own messages that a thread can have in a state.
#[derive(Default)]
struct OfState {
    all: FxHashSet<Sequence>,
    /// For each suffix of a sequence, what can stand before it.
    before: FxHashMap<Sequence, Vec<Sequence>>,
    /// Every message of a sequence.
    messages: BTreeSet<Message>,
}

/// The sequences of own messages of all threads.
pub(super) struct OwnSequences(Vec<Vec<OfState>>);

impl OwnSequences {
    pub fn of(system: &System) -> Result<Self, TooManyOwnSequences> {
        let threads = system.automata.iter().map(of_thread);
        threads.collect::<Result<_, _>>().map(OwnSequences)
    }

    /// Whether a thread in a state can have a buffer with these own messages, and perhaps more before them.
    pub fn allow(&self, thread: usize, state: StateId, buffer: &[Message]) -> bool {
        let own: Sequence = own_messages(buffer).collect();
        self.0[thread][state.index()].all.contains(&own)
    }

    /// All sequences of own messages, the empty one included, that can stand right before those of a buffer.
    pub fn before(&self, thread: usize, state: StateId, buffer: &[Message]) -> &[Sequence] {
        let own: Sequence = own_messages(buffer).collect();
        let found = self.0[thread][state.index()].before.get(&own);
        found.map_or(&[], Vec::as_slice)
    }

    /// The own messages of a location that a thread can have in a state.
    pub fn messages(
        &self,
        thread: usize,
        state: StateId,
        location: Location,
    ) -> impl Iterator<Item = Message> + '_ {
        let messages = self.0[thread][state.index()].messages.iter().copied();
        messages.filter(move |message| message.location == location)
    }
}

fn of_thread(automaton: &Automaton) -> Result<Vec<OfState>, TooManyOwnSequences> {
    let mut lists: Vec<FxHashSet<Sequence>> = vec![FxHashSet::default(); automaton.states.len()];
    let mut work = vec![(Automaton::START, Sequence::default())];
    lists[Automaton::START.index()].insert(Sequence::default());
    let mut count = 0;
    while let Some((state, list)) = work.pop() {
        for transition in automaton.transitions(state) {
            let next = after(&list, transition.event);
            if lists[transition.target.index()].insert(next.clone()) {
                count += 1;
                if count > MOST_SEQUENCES {
                    return Err(TooManyOwnSequences);
                }
                work.push((transition.target, next));
            }
        }
    }
    Ok(lists.into_iter().map(suffixes).collect())
}

fn after(list: &[Message], event: Event) -> Sequence {
    match event {
        Event::Write(location, value) => {
            let others = list.iter().filter(|message| message.location != location);
            let own = Message::own(location, value);
            others.copied().chain([own]).collect()
        }
        Event::Fence | Event::Update { .. } => Sequence::default(),
        Event::Skip | Event::Read(..) | Event::Barrier(_) => list.into(),
    }
}

fn suffixes(lists: FxHashSet<Sequence>) -> OfState {
    let mut found = OfState::default();
    for list in lists {
        for start in 0..=list.len() {
            found.all.insert(list[start..].into());
        }
    }
    for sequence in &found.all {
        found.messages.extend(sequence);
        for cut in 0..=sequence.len() {
            let before = found.before.entry(sequence[cut..].into()).or_default();
            before.push(sequence[..cut].into());
        }
    }
    for before in found.before.values_mut() {
        before.sort_unstable();
        before.dedup();
    }
    found
}
