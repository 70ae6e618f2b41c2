//! Executions with known borderline points.

use crate::sketch::*;
use crate::{buffers, monitored, naive};
use memory::Model;
use monitor::Monitor;
use program::{LogEvent, LogOperation};

const X: u32 = 0;
const Y: u32 = 1;
const Z: u32 = 2;

/// Rows of thread, operation and location.
fn events(rows: &[(u32, LogOperation, u32)]) -> Vec<LogEvent> {
    let rows = rows.iter().zip(1..);
    rows.map(|((thread, operation, address), line)| LogEvent {
        thread: *thread,
        operation: *operation,
        address: *address,
        line,
        at: LogEvent::NOWHERE,
    })
    .collect()
}

/// Fig. 1(b) of the paper.
#[test]
fn store_buffering_is_borderline_at_the_last_load() {
    let rows = events(&[(0, Store, X), (0, Load, Y), (1, Store, Y), (1, Load, X)]);
    assert_eq!(monitored(Model::Tso, &rows), [(4, 1)]);
    assert_eq!(monitored(Model::Pso, &rows), [(4, 1)]);
}

#[test]
fn fences_make_store_buffering_safe() {
    for fence in [Fence, StoreLoadFence, Interlocked] {
        let rows = events(&[
            (0, Store, X),
            (0, fence, Z),
            (0, Load, Y),
            (1, Store, Y),
            (1, fence, Z),
            (1, Load, X),
        ]);
        assert_eq!(monitored(Model::Tso, &rows), []);
        // Under PSO an interlocked operation waits for no store to another location.
        assert_eq!(
            monitored(Model::Pso, &rows).is_empty(),
            fence != Interlocked
        );
    }
}

#[test]
fn a_fence_on_one_side_is_not_enough() {
    let rows = [
        (0, Store, X),
        (0, Load, Y),
        (1, Store, Y),
        (1, Fence, 0),
        (1, Load, X),
    ];
    assert_eq!(monitored(Model::Tso, &events(&rows)), [(5, 1)]);
}

/// A thread can read its own store before older stores of others are in memory. In the paper's relation
/// it cannot, and its monitor finds nothing in any interleaving of this program.
#[test]
fn a_load_of_an_own_store_does_not_wait_for_older_writes() {
    let rows = [
        (1, Store, Y),
        (1, Store, X),
        (0, Store, X),
        (0, Load, X),
        (0, Load, Y),
    ];
    assert_eq!(monitored(Model::Tso, &events(&rows)), [(5, 1)]);
    assert_eq!(monitored(Model::Pso, &events(&rows)), [(5, 1)]);
    let sketch = Sketch(vec![
        vec![(Store, X), (Load, X), (Load, Y)],
        vec![(Store, Y), (Store, X)],
    ]);
    assert!(buffers::has_other_trace(&sketch, Model::Tso));
    let found = |events: &[LogEvent]| !naive::monitor_by(naive::Order::Paper, events).is_empty();
    assert!(!sketch.interleavings(&mut |events| found(events)));
}

#[test]
fn a_message_is_borderline_under_pso_only() {
    let rows = [(0, Store, X), (0, Store, Y), (1, Load, Y), (1, Load, X)];
    assert_eq!(monitored(Model::Tso, &events(&rows)), []);
    assert_eq!(monitored(Model::Pso, &events(&rows)), [(4, 1)]);
    let rows = [
        (0, Store, X),
        (0, StoreStoreFence, 0),
        (0, Store, Y),
        (1, Load, Y),
        (1, Load, X),
    ];
    assert_eq!(monitored(Model::Pso, &events(&rows)), []);
}

#[test]
fn under_pso_a_store_can_come_before_one_that_waits() {
    let rows = [(0, Store, X), (0, Store, Y), (1, Load, Y), (1, Store, X)];
    assert_eq!(monitored(Model::Tso, &events(&rows)), []);
    assert_eq!(monitored(Model::Pso, &events(&rows)), [(4, 1)]);
}

#[test]
fn a_thread_that_is_started_or_joined_misses_nothing() {
    let rows = [
        (0, Store, X),
        (0, Start, 1),
        (1, Load, X),
        (1, Store, Y),
        (0, Join, 1),
        (0, Load, Y),
    ];
    for model in [Model::Tso, Model::Pso] {
        assert_eq!(monitored(model, &events(&rows)), []);
    }
}

/// A thread that is far behind may miss one of many writes; those beyond the limit are counted.
#[test]
fn only_so_many_writes_are_looked_back_at() {
    for (more, found, forgotten) in [(63, 1, 0), (64, 0, 1), (100, 0, 37)] {
        let mut rows = vec![(2, Load, Z), (0, Store, X), (0, Load, Y), (1, Store, Y)];
        rows.extend(std::iter::repeat_n((0, Store, X), more));
        rows.push((1, Load, X));
        let mut monitor = Monitor::new(Model::Tso).expect("a model with store buffers");
        let rows = events(&rows);
        let points = rows.iter().filter_map(|event| monitor.event(event));
        assert_eq!(points.count(), found, "{more}");
        assert_eq!(monitor.forgotten(), forgotten, "{more}");
    }
}

#[test]
fn what_every_thread_knows_is_forgotten_silently() {
    let mut monitor = Monitor::new(Model::Tso).expect("a model with store buffers");
    let round = [
        (0, Interlocked, X),
        (1, Interlocked, X),
        (0, Store, Y),
        (1, Store, Z),
    ];
    let rows = events(&round.repeat(200));
    assert_eq!(
        rows.iter().filter_map(|event| monitor.event(event)).count(),
        0
    );
    assert_eq!(monitor.forgotten(), 0);
    // Whoever comes late, and was not started by anyone, might have needed them.
    monitor.event(&events(&[(2, Load, X)])[0]);
    assert!(monitor.forgotten() > 0);
}
