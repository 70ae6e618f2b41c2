//! Which of its own stores a thread can have in its load buffer.
//!
//! The last store to each location since the thread's last fence or read-modify-write, in the order of these last stores, is the
//! *list* of a thread in a state. What is in its load buffer is a suffix of it: deletions take the oldest message.

use super::load_buffers::Message;
use super::system::{Event, Thread};
use crate::error::Reason;
use rustc_hash::{FxHashMap, FxHashSet};

/// Lists of one thread at most.
const MOST_LISTS: usize = 1_000_000;

type List = Vec<Message>;

/// For each state of a thread, all suffixes of its lists.
pub struct Own(FxHashMap<u32, FxHashSet<List>>);

impl Own {
    pub fn of(thread: &Thread) -> Result<Self, Reason> {
        let mut lists = FxHashSet::from_iter([(0, List::new())]);
        let mut work = vec![(0, List::new())];
        while let Some((state, list)) = work.pop() {
            for transition in thread.from(state) {
                let mut after = list.clone();
                match transition.event {
                    Event::Write(location, value) => {
                        after.retain(|message| message.location != location);
                        after.push(Message::own(location, value));
                    }
                    Event::Fence | Event::Update(..) => after.clear(),
                    Event::Skip | Event::Read(..) | Event::Barrier(_) => {}
                }
                let next = (transition.target, after);
                if lists.insert(next.clone()) {
                    work.push(next);
                }
            }
            if lists.len() > MOST_LISTS {
                return Err(Reason::TooManyOrders);
            }
        }
        let mut suffixes: FxHashMap<u32, FxHashSet<List>> = FxHashMap::default();
        for (state, list) in lists {
            let known = suffixes.entry(state).or_default();
            known.extend((0..=list.len()).map(|start| list[start..].to_vec()));
        }
        Ok(Own(suffixes))
    }

    /// All that a thread can have in its buffer in a state; nothing if it never comes there.
    pub fn lists(&self, state: u32) -> impl Iterator<Item = &List> {
        self.0.get(&state).into_iter().flatten()
    }

    /// Whether a thread can have a buffer in a state in which it has these messages of its own, and perhaps more before them.
    pub fn allow(&self, state: u32, buffer: &[Message]) -> bool {
        let own: List = buffer.iter().copied().filter(|m| m.own).collect();
        self.0.get(&state).is_some_and(|lists| lists.contains(&own))
    }
}
