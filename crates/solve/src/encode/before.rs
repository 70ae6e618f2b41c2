//! What is known of the memory order without solving: that one event comes before another
//! whenever both are executed.

use super::locations::Locations;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::refusal::Halt;
use crate::unroll::{Event, FINALLY, FenceAt, Unrolled};
use memory::Model;
use program::AccessKind;
use rustc_hash::FxHashMap;

/// Which events surely come before which, if both are executed: rows of bits.
pub struct Before {
    rows: Vec<Vec<u64>>,
}

impl Before {
    fn new(events: usize) -> Self {
        Before {
            rows: vec![vec![0; events.div_ceil(64)]; events],
        }
    }

    fn set(&mut self, a: usize, b: usize) {
        self.rows[a][b / 64] |= 1 << (b % 64);
    }

    /// True if the first surely comes before the second.
    pub fn get(&self, a: usize, b: usize) -> bool {
        self.rows[a][b / 64] >> (b % 64) & 1 == 1
    }

    /// Works out what is surely ordered.
    pub fn find(
        unrolled: &mut Unrolled,
        model: Model,
        locations: &Locations,
        limits: &Limits,
    ) -> Result<Before, Halt> {
        let Unrolled {
            terms,
            events,
            fences,
            ..
        } = unrolled;
        let mut before = Before::new(events.len());
        let mut known: FxHashMap<(Guard, Guard), bool> = FxHashMap::default();
        let mut implies = |a: Guard, b: Guard| {
            let guards = &mut terms.guards;
            *known.entry((a, b)).or_insert_with(|| guards.implies(a, b))
        };
        for (y, second) in events.iter().enumerate() {
            limits.check()?;
            for (x, first) in events[..y].iter().enumerate() {
                if second.thread == FINALLY && first.thread != FINALLY {
                    before.set(x, y);
                }
                if first.thread != second.thread {
                    continue;
                }
                let (a, b) = (sure_kind(model, first), sure_kind(model, second));
                let same_place = || {
                    let (p, q) = (locations.of_event[x].start, locations.of_event[y].start);
                    b.store && locations.parts[p].must_touch(&locations.parts[q])
                };
                let mut depends = second.depends.iter();
                let ordered = first.step == second.step
                    || model.row().keeps.orders(a, b)
                    || same_place()
                    || depends.any(|&(e, when)| e.index() == x && implies(second.guard, when))
                    || fences.iter().any(|fence| {
                        fence.thread == first.thread
                            && first.position < fence.position
                            && fence.position < second.position
                            && fence.orders.orders(a, b)
                            && (implies(first.guard, fence.guard)
                                || implies(second.guard, fence.guard))
                    });
                if ordered {
                    before.set(x, y);
                }
            }
        }
        for fence in fences.iter() {
            let FenceAt::Start(started) = fence.at else {
                continue;
            };
            for (x, first) in events.iter().enumerate() {
                if first.thread != fence.thread || first.position > fence.position {
                    continue;
                }
                for (y, second) in events.iter().enumerate() {
                    if second.thread == started {
                        before.set(x, y);
                    }
                }
            }
        }
        before.close(events, &mut implies, limits)?;
        Ok(before)
    }

    /// What comes before something that surely comes before a third, comes before that; if
    /// the one in between is executed.
    fn close(
        &mut self,
        events: &[Event],
        implies: &mut impl FnMut(Guard, Guard) -> bool,
        limits: &Limits,
    ) -> Result<(), Halt> {
        for (z, between) in events.iter().enumerate() {
            limits.check()?;
            let mut with = vec![0u64; self.rows[z].len()];
            for (y, event) in events.iter().enumerate() {
                if implies(event.guard, between.guard) {
                    with[y / 64] |= 1 << (y % 64);
                }
            }
            let row = self.rows[z].clone();
            for (x, event) in events.iter().enumerate() {
                if !self.get(x, z) {
                    continue;
                }
                let executed = implies(event.guard, between.guard);
                for (word, (&more, &with)) in self.rows[x].iter_mut().zip(row.iter().zip(&with)) {
                    *word |= if executed { more } else { more & with };
                }
            }
        }
        Ok(())
    }
}

/// The kinds of an event for sure, whatever it finds.
fn sure_kind(model: Model, event: &Event) -> AccessKind {
    let store = event.stored.is_some_and(|stored| {
        // The table's models order an exchange that fails like one that does not.
        model.row().dependences || stored.guard == event.guard
    });
    AccessKind {
        load: event.loads,
        store,
    }
}
