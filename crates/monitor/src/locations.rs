//! What the relaxed relations know of a location.

use crate::clocks::{Clock, Clocks};

/// Clocks of a location: its newest write, and all accesses.
pub(super) const NEWEST: usize = 0;
pub(super) const ACCESSES: usize = 1;

#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    /// The first of its clocks.
    pub clock: Clock,
    /// Whose the newest write is.
    pub writer: Option<u32>,
}

/// Makes room for a location.
pub(super) fn know(locations: &mut Vec<Location>, location: u32, clocks: &mut Clocks) {
    while locations.len() <= location as usize {
        locations.push(Location {
            clock: clocks.add(2),
            writer: None,
        });
    }
}
