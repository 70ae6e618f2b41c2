//! Theorem 5 of the paper: timestamps are ordered exactly where the relation's closure is.

use crate::naive::{Order, closure};
use crate::sketch::*;
use crate::wide::Wide;
use crate::{for_all, interleavings};
use memory::Model;
use monitor::happens_before::HappensBefore;
use monitor::pso::Pso;
use monitor::tso::Tso;
use program::LogEvent;

/// Compares timestamps with the closure, for pairs whose first event `counts`.
fn ordered(
    order: Order,
    events: &[LogEvent],
    counts: impl Fn(&LogEvent) -> bool,
    mut stamp: impl FnMut(&LogEvent) -> Vec<u32>,
) -> Result<(), String> {
    let before = closure(order, events);
    let stamps: Vec<Vec<u32>> = events.iter().map(&mut stamp).collect();
    for later in 0..events.len() {
        for earlier in (0..later).filter(|earlier| counts(&events[*earlier])) {
            let known = stamps[earlier]
                .iter()
                .zip(&stamps[later])
                .all(|(a, b)| a <= b);
            if known != before[later][earlier] {
                return Err(format!(
                    "{order:?}: {:?} is {}before {:?} in {events:#?}",
                    events[earlier],
                    if known { "wrongly " } else { "not " },
                    events[later]
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn happens_before_has_the_timestamps_of_its_closure() {
    for_all(&interleavings(8), 2000, |(_, events)| {
        let mut clocks = HappensBefore::default();
        (0..3).for_each(|thread| clocks.know_thread(thread));
        clocks.know_location(2);
        ordered(
            Order::HappensBefore,
            events,
            |_| true,
            |event| {
                clocks.process(event);
                clocks.stamp().to_vec()
            },
        )
    });
}

#[test]
fn relaxed_happens_before_under_tso_has_the_timestamps_of_its_closure() {
    for_all(&interleavings(8), 2000, |(_, events)| {
        let mut clocks = Tso::default();
        (0..3).for_each(|thread| clocks.know_thread(thread));
        clocks.know_location(2);
        let mut events = events.clone();
        events.retain(|event| event.operation != StoreStoreFence);
        ordered(
            Order::Relaxed(Model::Tso),
            &events,
            |_| true,
            |event| {
                clocks.process(event);
                clocks.stamp().to_vec()
            },
        )
    });
}

/// The clocks that the paper would have for PSO, with a group for each location.
#[test]
fn relaxed_happens_before_under_pso_has_the_timestamps_of_its_closure() {
    for_all(&interleavings(8), 2000, |(_, events)| {
        let mut clocks = Wide::default();
        ordered(
            Order::Relaxed(Model::Pso),
            events,
            |_| true,
            |event| clocks.process(event),
        )
    });
}

/// Those that the monitor has: timestamps tell of reads, the histories of locations of stores.
#[test]
fn the_narrow_clocks_of_pso_order_what_comes_after_a_read() {
    for_all(&interleavings(8), 2000, |(_, events)| {
        let mut clocks = Pso::default();
        (0..3).for_each(|thread| clocks.know_thread(thread));
        clocks.know_location(2);
        let reads = |event: &LogEvent| event.operation.reads();
        let before = closure(Order::Relaxed(Model::Pso), events);
        let stamps: Vec<Vec<u32>> = events
            .iter()
            .map(|event| {
                clocks.process(event);
                clocks.stamp().to_vec()
            })
            .collect();
        for later in 0..events.len() {
            for earlier in (0..later).filter(|earlier| reads(&events[*earlier])) {
                let thread = events[earlier].thread;
                let number = Pso::reads(&stamps[earlier], thread);
                let known = Pso::reads(&stamps[later], thread) >= number;
                if known != before[later][earlier] {
                    return Err(format!("{earlier} and {later} of {events:#?}"));
                }
            }
        }
        Ok(())
    });
}
