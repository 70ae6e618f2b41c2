//! General vector clocks.
//!
//! Definition 7 of Burckhardt and Musuvathi, *Effective Program Verification for Relaxed Memory
//! Models* (CAV 2008). A general vector clock for a relation on events has *clocks* and *groups*. An
//! event merges some clocks (*in*), advances the groups it belongs to, and what comes of it, its
//! *timestamp*, is merged into some clocks (*out*). If
//!
//! - every event is in a group,
//! - the events of a group are totally ordered by the relation, and
//! - two events are related exactly if an out-clock of the one is an in-clock of the other,
//!
//! then two events are related by the transitive closure exactly if their timestamps are ordered in
//! every place. As groups are chains, one place is enough: the earlier event's own.
//!
//! An instance calls [`begin`](Clocks::begin), then [`merge`](Clocks::merge) for each in-clock,
//! [`advance`](Clocks::advance) for each group and [`publish`](Clocks::publish) for each
//! out-clock. All clocks lie in one flat piece of memory; an event allocates nothing.

/// A clock, by its number.
pub type Clock = usize;

/// A set of clocks, and the timestamp of the event at hand.
#[derive(Clone, Debug)]
pub struct Clocks {
    width: usize,
    /// One row of `width` numbers after the other.
    rows: Vec<u32>,
    stamp: Vec<u32>,
}

impl Clocks {
    /// No clocks, with this many groups.
    pub fn new(groups: usize) -> Self {
        Clocks {
            width: groups,
            rows: Vec::new(),
            stamp: vec![0; groups],
        }
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.width
    }

    /// Adds clocks that know nothing, and gives the first of them.
    pub fn add(&mut self, clocks: usize) -> Clock {
        let first = self.rows.len() / self.width;
        self.rows.resize(self.rows.len() + clocks * self.width, 0);
        first
    }

    /// Makes room for more groups; those that are there keep their numbers.
    pub fn widen(&mut self, groups: usize) {
        let mut rows = vec![0; self.rows.len() / self.width * groups];
        let wide = rows.chunks_exact_mut(groups);
        for (wide, row) in wide.zip(self.rows.chunks_exact(self.width)) {
            wide[..row.len()].copy_from_slice(row);
        }
        self.rows = rows;
        self.stamp.resize(groups, 0);
        self.width = groups;
    }

    /// Begins an event, with this in-clock.
    pub fn begin(&mut self, first: Clock) {
        let start = first * self.width;
        let row = &self.rows[start..start + self.width];
        self.stamp.copy_from_slice(row);
    }

    /// Adds an in-clock.
    pub fn merge(&mut self, clock: Clock) {
        let start = clock * self.width;
        let row = &self.rows[start..start + self.width];
        for (own, other) in self.stamp.iter_mut().zip(row) {
            *own = (*own).max(*other);
        }
    }

    /// Puts the event into a group, and gives its number there, from 1.
    pub fn advance(&mut self, group: usize) -> u32 {
        self.stamp[group] += 1;
        self.stamp[group]
    }

    /// Adds an out-clock.
    pub fn publish(&mut self, clock: Clock) {
        let start = clock * self.width;
        let row = &mut self.rows[start..start + self.width];
        for (own, new) in row.iter_mut().zip(&self.stamp) {
            *own = (*own).max(*new);
        }
    }

    /// Adds an out-clock that was an in-clock, too: nothing in it is newer than the timestamp.
    pub fn replace(&mut self, clock: Clock) {
        let start = clock * self.width;
        self.rows[start..start + self.width].copy_from_slice(&self.stamp);
    }

    /// What a clock knows: for each group the number of its last event known.
    pub fn row(&self, clock: Clock) -> &[u32] {
        &self.rows[clock * self.width..(clock + 1) * self.width]
    }

    /// The timestamp of the event begun last.
    pub fn stamp(&self) -> &[u32] {
        &self.stamp
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two chains, a message between them.
    #[test]
    fn a_message_orders_what_is_before_it_before_what_is_after() {
        let mut clocks = Clocks::new(2);
        let (one, two) = (clocks.add(1), clocks.add(1));
        let message = clocks.add(1);
        let mut event = |merged: &[Clock], group, published: &[Clock]| {
            clocks.begin(merged[0]);
            merged[1..].iter().for_each(|clock| clocks.merge(*clock));
            clocks.advance(group);
            published.iter().for_each(|clock| clocks.publish(*clock));
            clocks.stamp().to_vec()
        };
        let before = event(&[two], 1, &[two]);
        let sent = event(&[one], 0, &[one, message]);
        let received = event(&[two, message], 1, &[two]);
        let after = event(&[one], 0, &[one]);
        let (sent_known, before_known) = (received[0] >= sent[0], after[1] >= before[1]);
        assert_eq!((sent_known, before_known), (true, false));
        assert!(received[0] < after[0]);
    }

    #[test]
    fn clocks_keep_what_they_know_when_groups_are_added() {
        let mut clocks = Clocks::new(1);
        let clock = clocks.add(2);
        clocks.begin(clock);
        clocks.advance(0);
        clocks.publish(clock + 1);
        clocks.widen(3);
        assert_eq!(clocks.row(clock), [0, 0, 0]);
        assert_eq!(clocks.row(clock + 1), [1, 0, 0]);
        assert_eq!((clocks.add(1), clocks.groups()), (2, 3));
    }
}
