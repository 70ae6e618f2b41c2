//! Memory orders of accesses with their values.
//!
//! An order is built by placing one access after the other. When a load is placed, S(l) is
//! made of the stores to its cell that are placed and of the earlier ones of its own thread.
//! Of its own ones that are not placed yet, which come after all that are, axiom 1 makes the
//! last in program order the last. So the last store of S(l) is known, and axioms 2 and 3
//! say that the load has its value, or the initial one if S(l) is empty.
//!
//! Two prefixes that placed the same accesses and left memory the same have the same
//! continuations, so only one is followed.

use super::runs::{Access, Item, Run};
use crate::path::Cell;
use program::Word;
use std::collections::{BTreeSet, HashSet};

/// An access of some thread.
struct Placed {
    access: Access,
    /// The accesses that must be placed before it, as a set.
    after: u64,
    /// The earlier stores of its thread to its cell, in program order.
    own_stores: Vec<usize>,
}

/// The contents of memory after each memory order that the axioms allow.
pub fn final_memories(cells: &[Cell], runs: &[&Run]) -> BTreeSet<Vec<Word>> {
    let accesses = accesses(runs);
    assert!(accesses.len() <= 64, "the oracle takes at most 64 accesses");
    let initial: Vec<Word> = cells.iter().map(|cell| cell.initial).collect();
    let mut found = BTreeSet::new();
    let mut open = vec![(0u64, initial)];
    let mut seen = HashSet::new();
    while let Some((placed, memory)) = open.pop() {
        if placed.count_ones() as usize == accesses.len() {
            found.insert(memory);
            continue;
        }
        for (index, next) in accesses.iter().enumerate() {
            let ready = placed & 1 << index == 0 && placed & next.after == next.after;
            if !ready || !loads_what_it_must(&accesses, placed, &memory, next) {
                continue;
            }
            let mut memory = memory.clone();
            if let Some(word) = next.access.stores {
                memory[next.access.cell] = word;
            }
            let longer = (placed | 1 << index, memory);
            if seen.insert(longer.clone()) {
                open.push(longer);
            }
        }
    }
    found
}

/// Axioms 2 and 3 for an access that is placed next.
fn loads_what_it_must(accesses: &[Placed], placed: u64, memory: &[Word], next: &Placed) -> bool {
    let Some(loaded) = next.access.loads else {
        return true;
    };
    let mut own = next.own_stores.iter().rev();
    let visible = match own.find(|store| placed & 1 << **store == 0) {
        Some(store) => accesses[*store].access.stores,
        None => Some(memory[next.access.cell]),
    };
    visible == Some(loaded)
}

/// The accesses of all threads, with axiom 1 and the fences.
fn accesses(runs: &[&Run]) -> Vec<Placed> {
    let mut all: Vec<Placed> = Vec::new();
    for run in runs {
        // The thread's accesses so far, with their place among its items.
        let mut earlier: Vec<(usize, usize)> = Vec::new();
        for (item, found) in run.items.iter().enumerate() {
            let Item::Access(y) = *found else {
                continue;
            };
            let mut placed = Placed {
                access: y,
                after: 0,
                own_stores: Vec::new(),
            };
            for &(x_item, index) in &earlier {
                let x = &all[index].access;
                let axiom_1 = x.cell == y.cell && y.stores.is_some();
                let fenced = run.items[x_item..item].iter().any(|between| {
                    matches!(between, Item::Fence(fence) if fence.orders(x.kind(), y.kind()))
                });
                if axiom_1 || fenced {
                    placed.after |= 1 << index;
                }
                if x.cell == y.cell && x.stores.is_some() {
                    placed.own_stores.push(index);
                }
            }
            earlier.push((item, all.len()));
            all.push(placed);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{Orderings, Width};
    use proptest::prelude::*;

    /// The axioms, word by word, over all permutations.
    fn literally(cells: &[Cell], runs: &[&Run]) -> BTreeSet<Vec<Word>> {
        // Each access with its thread and its place among the items of the thread.
        let all: Vec<(usize, usize, Access)> = runs
            .iter()
            .enumerate()
            .flat_map(|(thread, run)| {
                let items = run.items.iter().enumerate();
                items.filter_map(move |(item, found)| match found {
                    Item::Access(access) => Some((thread, item, *access)),
                    Item::Fence(_) => None,
                })
            })
            .collect();
        let mut found = BTreeSet::new();
        for order in permutations(all.len()) {
            // `at[x]` is the place of x in memory order.
            let mut at = vec![0; all.len()];
            for (place, access) in order.iter().enumerate() {
                at[*access] = place;
            }
            let program_order = |x: usize, y: usize| all[x].0 == all[y].0 && all[x].1 < all[y].1;
            let indices = || 0..all.len();
            let ordered = indices().all(|x| {
                indices().all(|y| {
                    let (a, b) = (&all[x].2, &all[y].2);
                    let axiom_1 = a.cell == b.cell && b.stores.is_some();
                    let fenced = program_order(x, y)
                        && runs[all[x].0].items[all[x].1..all[y].1].iter().any(
                            |item| matches!(item, Item::Fence(f) if f.orders(a.kind(), b.kind())),
                        );
                    !(program_order(x, y) && (axiom_1 || fenced)) || at[x] < at[y]
                })
            });
            let loaded = indices().all(|l| {
                let Some(value) = all[l].2.loads else {
                    return true;
                };
                let visible: Vec<usize> = indices()
                    .filter(|s| {
                        let store = &all[*s].2;
                        let same = store.cell == all[l].2.cell && store.stores.is_some();
                        same && *s != l && (at[*s] < at[l] || program_order(*s, l))
                    })
                    .collect();
                let axiom_2 = !visible.is_empty() || value == cells[all[l].2.cell].initial;
                let axiom_3 = visible.iter().all(|s| {
                    all[*s].2.stores == Some(value) || visible.iter().any(|t| at[*s] < at[*t])
                });
                axiom_2 && axiom_3
            });
            if ordered && loaded {
                let mut memory: Vec<Word> = cells.iter().map(|cell| cell.initial).collect();
                for access in order {
                    if let Some(word) = all[access].2.stores {
                        memory[all[access].2.cell] = word;
                    }
                }
                found.insert(memory);
            }
        }
        found
    }

    fn permutations(count: usize) -> Vec<Vec<usize>> {
        (0..count).fold(vec![Vec::new()], |shorter, item| {
            let longer = shorter.iter().flat_map(|order: &Vec<usize>| {
                (0..=order.len()).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, item);
                    order
                })
            });
            longer.collect()
        })
    }

    fn run() -> impl Strategy<Value = Run> {
        let value = || proptest::option::of(0..3u64);
        let access = (0..2usize, value(), value()).prop_map(|(cell, loads, stores)| {
            Item::Access(Access {
                cell,
                loads: loads.or(stores.is_none().then_some(0)),
                stores,
            })
        });
        let fences: Vec<Orderings> = Orderings::NAMED.iter().map(|(fence, _)| *fence).collect();
        let fence = proptest::sample::select(fences).prop_map(Item::Fence);
        let item = prop_oneof![3 => access, 1 => fence];
        proptest::collection::vec(item, 1..4).prop_map(|items| Run {
            items,
            registers: Vec::new(),
        })
    }

    proptest! {
        #[test]
        fn orders_are_those_of_the_axioms(runs in proptest::collection::vec(run(), 1..3)) {
            let cell = |address| Cell { address, width: Width::W8, initial: 0 };
            let cells = [cell(0), cell(1)];
            let runs: Vec<&Run> = runs.iter().collect();
            prop_assert_eq!(final_memories(&cells, &runs), literally(&cells, &runs));
        }
    }
}
