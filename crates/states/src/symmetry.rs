//! Symmetry over identical processors.
//!
//! Threads whose code is the same but for the names of locations that each has to
//! itself can change places without changing what the program does. Of the
//! states that differ only in that, a search needs one: the one in which each
//! group's threads are sorted by local state, then by the values of their own
//! locations.
//!
//! The threads of a group share the numbering of their first member's local
//! states; a table renames that member's locations to each other's. Programs that
//! handle addresses as values are left alone, since an address names its owner.

mod detect;

use crate::expander::Expander;
use machine::{Cell, Processor};
use program::Word;

/// Which threads can change places.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// For each thread, the first of its group.
    representatives: Vec<usize>,
    /// For each thread, what the representative's cells are called; `None` where
    /// they are the same.
    names: Vec<Option<Vec<Cell>>>,
    /// Groups of at least two threads.
    groups: Vec<Group>,
}

/// Threads that can change places.
#[derive(Clone, Debug)]
struct Group {
    threads: Vec<usize>,
    /// For each of them, the cells that only it uses, in matching order.
    own: Vec<Vec<Cell>>,
}

impl Symmetry {
    /// No two threads can change places.
    pub fn none(threads: usize) -> Self {
        Symmetry {
            representatives: (0..threads).collect(),
            names: vec![None; threads],
            groups: Vec::new(),
        }
    }

    /// True if no two threads can change places.
    pub fn is_trivial(&self) -> bool {
        self.groups.is_empty()
    }

    /// The thread whose local states `thread` shares.
    #[inline]
    pub fn representative(&self, thread: usize) -> usize {
        self.representatives[thread]
    }

    /// What a cell of the representative's is for `thread`.
    #[inline]
    pub fn cell(&self, thread: usize, cell: Cell) -> Cell {
        match &self.names[thread] {
            None => cell,
            Some(names) => names[cell.0 as usize],
        }
    }

    /// Brings a state into the form that stands for all those that differ from it
    /// only by threads changing places.
    pub fn canonical<P: Processor>(&self, expander: &mut Expander<'_, P>, ids: &mut [u32]) {
        let last = ids.len() - 1;
        for group in &self.groups {
            let memory = ids[last];
            let mut order: Vec<u8> = (0..group.threads.len() as u8).collect();
            let sorted = group
                .threads
                .windows(2)
                .all(|pair| ids[pair[0]] < ids[pair[1]]);
            if sorted {
                continue;
            }
            order.sort_by(|&a, &b| {
                let (a, b) = (usize::from(a), usize::from(b));
                let locals = ids[group.threads[a]].cmp(&ids[group.threads[b]]);
                locals.then_with(|| {
                    let mine = group.values(expander, a, memory);
                    mine.cmp(&group.values(expander, b, memory))
                })
            });
            self.apply(expander, ids, group, &order);
        }
    }

    /// Puts member `order[n]` of the group at the place of member `n`.
    fn apply<P: Processor>(
        &self,
        expander: &mut Expander<'_, P>,
        ids: &mut [u32],
        group: &Group,
        order: &[u8],
    ) {
        let before: Vec<u32> = group.threads.iter().map(|&thread| ids[thread]).collect();
        for (place, &member) in order.iter().enumerate() {
            ids[group.threads[place]] = before[usize::from(member)];
        }
        let moved = order.iter().enumerate().any(|(n, &m)| n != usize::from(m));
        if moved && !group.own[0].is_empty() {
            let executable = expander.components().processor.executable();
            let cells = executable.cells.initial.len() as u32;
            let mut from: Vec<Cell> = (0..cells).map(Cell).collect();
            for (place, &member) in order.iter().enumerate() {
                for (to, source) in group.own[place].iter().zip(&group.own[usize::from(member)]) {
                    from[to.0 as usize] = *source;
                }
            }
            let last = ids.len() - 1;
            // Groups move different cells, so the order must say which group it is.
            let key = [&[group.threads[0] as u8], order].concat();
            ids[last] = expander.permute_memory(ids[last], &key, &from);
        }
    }

    /// Calls `visit` with every state that threads changing places can make of `ids`.
    pub fn orbit<P: Processor>(
        &self,
        expander: &mut Expander<'_, P>,
        ids: &[u32],
        visit: &mut dyn FnMut(&mut Expander<'_, P>, &[u32]),
    ) {
        self.orbit_of(expander, &self.groups, ids, visit);
    }

    fn orbit_of<P: Processor>(
        &self,
        expander: &mut Expander<'_, P>,
        groups: &[Group],
        ids: &[u32],
        visit: &mut dyn FnMut(&mut Expander<'_, P>, &[u32]),
    ) {
        let Some((group, rest)) = groups.split_first() else {
            return visit(expander, ids);
        };
        let memory = ids[ids.len() - 1];
        let members = 0..group.threads.len();
        let members: Vec<_> = members
            .map(|member| {
                (
                    ids[group.threads[member]],
                    group.values(expander, member, memory),
                )
            })
            .collect();
        for order in distinct_orders(&members) {
            let mut ids = ids.to_vec();
            self.apply(expander, &mut ids, group, &order);
            self.orbit_of(expander, rest, &ids, visit);
        }
    }
}

/// The orders of `items`, as lists of indices, without those that only exchange
/// equal ones.
fn distinct_orders<T: PartialEq>(items: &[T]) -> Vec<Vec<u8>> {
    let mut orders: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in items {
        let longer = orders.iter().flat_map(|order| {
            let free = (0..items.len() as u8).filter(|index| !order.contains(index));
            // Of equal items the first comes first.
            let next = free.clone().filter(move |&index| {
                let equal = |other: &u8| items[usize::from(*other)] == items[usize::from(index)];
                free.clone().find(equal) == Some(index)
            });
            next.map(|index| [&order[..], &[index]].concat())
        });
        orders = longer.collect();
    }
    orders
}

impl Group {
    /// The values of a member's own cells.
    fn values<P: Processor>(
        &self,
        expander: &mut Expander<'_, P>,
        member: usize,
        memory: u32,
    ) -> Vec<Word> {
        let own = self.own[member].iter();
        own.map(|cell| expander.value(memory, *cell)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::distinct_orders;

    #[test]
    fn equal_items_are_not_told_apart() {
        assert_eq!(distinct_orders(&[7, 7, 7]), [[0, 1, 2]]);
        assert_eq!(distinct_orders(&[1, 2, 1]).len(), 3);
        assert_eq!(distinct_orders(&[1, 2, 3, 4]).len(), 24);
    }
}
