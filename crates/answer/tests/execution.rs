//! Executions as data: what a step reads, overwrites and flushes.

mod steps;

use answer::{AccessEvent, Event, Execution, MemoryAccess};
use steps::{access, execution};

fn of(execution: &Execution, step: usize) -> &MemoryAccess {
    match &execution.steps[step].event {
        Event::Access(access) => access,
        event => panic!("{event:?}"),
    }
}

#[test]
fn loads_read_the_last_store_to_their_bytes() {
    use AccessEvent::*;
    let execution = execution(vec![
        access(0, Load, 100, 4),
        access(0, Commit, 100, 4),
        access(1, Commit, 102, 1),
        access(0, Load, 100, 4),
        access(0, Load, 100, 2),
        access(0, Load, 104, 4),
        access(1, Update, 100, 4),
        access(0, Load, 103, 1),
    ]);
    let reads = |step| of(&execution, step).reads_from;
    assert_eq!(reads(0), None);
    assert_eq!(reads(3), Some(2));
    assert_eq!(reads(4), Some(1));
    assert_eq!(reads(5), None);
    assert_eq!((reads(6), reads(7)), (Some(2), Some(6)));
    assert_eq!(of(&execution, 2).overwrites, Some(1));
    assert_eq!(of(&execution, 6).overwrites, Some(2));
}

#[test]
fn a_store_is_linked_to_its_flush() {
    use AccessEvent::*;
    let execution = execution(vec![
        access(0, Buffer, 100, 4),
        access(1, Buffer, 100, 4),
        access(0, Buffer, 200, 4),
        access(0, Buffer, 100, 4),
        access(0, Forward, 100, 4),
        access(0, Commit, 200, 4),
        access(0, Commit, 100, 4),
        access(1, Commit, 100, 4),
    ]);
    let flush = |step| of(&execution, step).flushed_by;
    assert_eq!([0, 1, 2, 3].map(flush), [Some(6), Some(7), Some(5), None]);
    assert_eq!(of(&execution, 4).reads_from, Some(3));
    assert_eq!(of(&execution, 7).issued_by, Some(1));
    assert_eq!(of(&execution, 7).overwrites, Some(6));
}

#[test]
fn links_follow_the_steps_that_are_kept() {
    use AccessEvent::*;
    let mut execution = execution(vec![
        access(0, Commit, 300, 4),
        access(0, Buffer, 100, 4),
        access(1, Load, 300, 4),
        access(0, Commit, 100, 4),
        access(1, Load, 100, 4),
    ]);
    execution.repeats_from = Some(3);
    execution.retain(|step| !matches!(&step.event, Event::Access(a) if a.location.address == 300));
    assert_eq!(execution.steps.len(), 3);
    assert_eq!(execution.repeats_from, Some(1));
    assert_eq!(of(&execution, 0).flushed_by, Some(1));
    assert_eq!(of(&execution, 1).issued_by, Some(0));
    assert_eq!(of(&execution, 2).reads_from, Some(1));
}
