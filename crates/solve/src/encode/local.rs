//! Loads that only their own thread can have written for: no order of memory is involved.

use super::Encoder;

/// Where a load's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// From the last of these stores, all earlier in its thread, that is to its location; or what
    /// was there at the start.
    Local(Vec<usize>),
    /// That is for the order of memory to say.
    Open,
}

impl Encoder<'_> {
    /// Where an event's loaded value comes from.
    pub fn source(&self, event: usize) -> Source {
        let range = self.locations.of_event[event].clone();
        if range.len() != 1 {
            return Source::Open;
        }
        let load = range.start;
        let mut stores = Vec::new();
        for &store in &self.candidates[load] {
            let from = self.locations.parts[store].event;
            if !self.po_before(from, event) || self.locations.of_event[from].len() != 1 {
                return Source::Open;
            }
            stores.push(from);
        }
        stores.sort_by_key(|&store| self.unrolled.events[store].position);
        Source::Local(stores)
    }

    /// True if an event comes before another one in one thread.
    pub fn po_before(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.unrolled.events[a], &self.unrolled.events[b]);
        a.thread == b.thread && a.position < b.position
    }
}
