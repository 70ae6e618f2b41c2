//! The first execution, and what it suggests to do before the search.
//!
//! None of it has to be right: what the search does with it is sound whatever it is.

use crate::explorer::{Explorer, Visitor};
use crate::trace::overlap;
use machine::{Creation, End, Image, Limits};
use program::{ObservedLocation, Word};

/// An execution with more events than this is surveyed in part.
const MOST_EVENTS: usize = 1_000;

/// What the first execution suggests.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Threads to reserve numbers for: all of them, if several threads start others.
    pub reserved: Vec<Creation>,
    /// Memory (addresses and sizes) that nobody reads, and that is no part of a final state.
    pub unread: Vec<(Word, u32)>,
}

impl Survey {
    /// Surveys a program.
    pub fn of(image: &Image, limits: &Limits) -> Self {
        let mut explorer = Explorer::new(image, limits, MOST_EVENTS);
        explorer.explore(None, &mut First);
        let mut reserved = explorer.process.creations();
        let several = reserved
            .windows(2)
            .any(|two| two[0].creator != two[1].creator);
        if !several {
            reserved.clear();
        }
        let observed = |memory: &(Word, u32)| {
            let mut observed = image.program.observed.iter();
            observed.any(|observable| match observable.location {
                ObservedLocation::Memory(address) => {
                    overlap(*memory, (address.to_word(), observable.width.bytes()))
                }
                ObservedLocation::Observation | ObservedLocation::Register(..) => false,
            })
        };
        let mut unread = explorer.trace.never_read();
        unread.retain(|memory| !observed(memory));
        Survey { reserved, unread }
    }
}

/// Stops at the end of the first execution.
struct First;

impl Visitor for First {
    fn ended(&mut self, _: &mut Explorer<'_>, _: End) -> bool {
        true
    }

    fn stuck(&mut self, _: &mut Explorer<'_>) -> bool {
        true
    }

    fn leaf(&mut self, _: &mut Explorer<'_>) -> bool {
        false
    }
}
