//! Reads-from, coherence, from-read and program order of executions, and the registers that steps write.

mod steps;

use answer::{AccessEvent, Event, Execution, LinkOrder, MemoryAccess, Step};
use program::{Address, Expression, ProgramBuilder, RegisterId, Span, ThreadId, Width};
use steps::{access, execution};

fn related(execution: &Execution, order: LinkOrder) -> Vec<(usize, usize)> {
    let relations = execution.relations().into_iter();
    let relations = relations.filter(|relation| relation.order == order);
    relations
        .map(|relation| (relation.from, relation.to))
        .collect()
}

/// Both loads of store buffering come before the stores that they miss, whether those are flushed later or never.
#[test]
fn loads_come_before_the_stores_that_they_miss() {
    use AccessEvent::*;
    let mut steps = vec![
        access(0, Buffer, 100, 4),
        access(0, Load, 200, 4),
        access(1, Buffer, 200, 4),
        access(1, Load, 100, 4),
    ];
    let never = execution(steps.clone());
    assert_eq!(related(&never, LinkOrder::FromRead), [(1, 2), (3, 0)]);
    steps.push(access(0, Commit, 100, 4));
    steps.push(access(1, Commit, 200, 4));
    let flushed = execution(steps);
    assert_eq!(related(&flushed, LinkOrder::FromRead), [(1, 2), (3, 0)]);
    let threads = flushed.program_order();
    assert_eq!(threads[&ThreadId(0)], [0, 1]);
    assert_eq!(threads[&ThreadId(1)], [2, 3]);
    assert_eq!(flushed.issue(4), 0);
}

#[test]
fn relations_lead_to_the_next_write_only() {
    use AccessEvent::*;
    let execution = execution(vec![
        access(0, Commit, 100, 4),
        access(1, Load, 100, 4),
        access(0, Update, 100, 4),
        access(0, Commit, 100, 4),
        access(1, Buffer, 100, 4),
        access(1, Forward, 100, 4),
        access(2, Load, 100, 4),
    ]);
    assert_eq!(
        related(&execution, LinkOrder::Coherence),
        [(0, 2), (2, 3), (3, 4)]
    );
    assert_eq!(
        related(&execution, LinkOrder::ReadsFrom),
        [(0, 1), (0, 2), (3, 6), (4, 5)]
    );
    // What a store of one's own that waits is followed by is open.
    assert_eq!(related(&execution, LinkOrder::FromRead), [(1, 2), (6, 4)]);
}

#[test]
fn accesses_of_other_sizes_are_related_where_they_overlap() {
    use AccessEvent::*;
    let execution = execution(vec![
        access(0, Load, 100, 4),
        access(1, Commit, 102, 1),
        access(0, Load, 100, 2),
        access(1, Commit, 100, 4),
    ]);
    assert_eq!(related(&execution, LinkOrder::FromRead), [(0, 1), (2, 3)]);
    assert_eq!(related(&execution, LinkOrder::Coherence), [(1, 3)]);
}

#[test]
fn program_order_is_that_of_positions_or_not_known() {
    use AccessEvent::*;
    let at = |position, step: Step| Step {
        position: Some(position),
        ..step
    };
    let listed = execution(vec![
        at(1, access(0, Load, 100, 4)),
        at(0, access(0, Load, 200, 4)),
    ]);
    assert_eq!(listed.program_order()[&ThreadId(0)], [1, 0]);
    let reordered = Step {
        ahead_of: Some(Span::NOWHERE),
        ..access(0, Load, 100, 4)
    };
    assert!(execution(vec![reordered]).program_order().is_empty());
}

/// Registers are found by line and kind; where a line computes two, it is unknown which of them a step is.
#[test]
fn registers_are_those_of_the_instruction_at_the_place() {
    let mut builder = ProgramBuilder::new("test");
    let x = builder.object("x", Width::W32, 0);
    let mut thread = builder.thread();
    let [a, b, c] = ["a", "b", "c"].map(|name| thread.register(name, Width::W32));
    let [load, add, both] = [1, 2, 3].map(|line| Span::new(line, 1, 1));
    thread.at(load).load(a, x, Width::W32);
    let copy = |register: RegisterId| Expression::Copy(register.into());
    thread.at(add).assign(b, copy(a));
    thread.at(both).assign(b, copy(a));
    thread.assign(c, copy(a));
    thread.finish();
    let program = builder.finish().expect("a valid program");
    let step = |span, event| Step::new(ThreadId(0), span, event);
    let compute = || Event::Compute { value: 7 };
    let read = MemoryAccess::of_cell(AccessEvent::Load, Address::of(x), 7, None);
    let steps = vec![
        step(load, Event::Access(read)),
        step(add, compute()),
        step(both, compute()),
    ];
    let written = Execution::new(&program, steps, None).registers(&program);
    let written: Vec<_> = written
        .iter()
        .map(|write| (write.step, write.register, write.value.to_string()))
        .collect();
    assert_eq!(written, [(0, a, "7".to_owned()), (1, b, "7".to_owned())]);
}
