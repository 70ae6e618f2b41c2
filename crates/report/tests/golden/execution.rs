use crate::store_buffering::*;
use answer::{AccessEvent, Event, Execution, Step};
use program::{Orderings, Source, Span};
use report::{View, execution_text};

fn text(steps: Vec<Step>, repeats_from: Option<usize>) -> String {
    let execution = Execution::new(&program(), steps, repeats_from);
    execution_text(&program(), &[], &execution, &View::default())
}

#[test]
fn no_steps() {
    assert_eq!(text(vec![], None), "  (no steps)\n");
}

#[test]
fn every_event() {
    let (place, taken) = (x(), true);
    let events = vec![
        Event::Fence(Orderings::STORE_LOAD),
        access(AccessEvent::Buffer, place, 1),
        Event::Compute { value: 3 },
        access(AccessEvent::Forward, place, 1),
        Event::Predict { taken },
        Event::Mispredict { taken: false },
        Event::Branch { taken },
        access(AccessEvent::Commit, place, 1),
        access(AccessEvent::Commit, place, 0xffff_ffff),
        update(place, 0xffff_ffff, Some(y().to_word())),
        update(place, 0, None),
        Event::Choose { value: 2 },
        Event::Observe {
            name: "seen".to_owned(),
            value: 7,
        },
        Event::AssertFailed,
        Event::BadAccess { address: 0x17 },
    ];
    let steps = events
        .into_iter()
        .map(|event| step(0, Span::NOWHERE, event));
    assert_eq!(
        text(steps.collect(), None),
        r"      P0                                       │ P1 │ memory
  ─────────────────────────────────────────────┼────┼───────
   1  fence #StoreLoad passes                  │    │
   2  x=1 waits in the buffer                  │    │
   3  x → 1 from own store, not yet in memory  │    │
   4  predicted taken                          │    │
   5  not taken after all: what came since the │    │
      prediction is undone                     │    │
   6  taken                                    │    │
   7  ▶ x=1 reaches memory                     │    │ x=1
   8  ▶ x=-1 reaches memory                    │    │ x=-1
   9  ▶ x: -1 → y                              │    │ x=y
  10  x: 0, not the expected value             │    │
  11  chooses 2                                │    │
  12  seen = 7                                 │    │
  13  fails                                    │    │
  14  0x17 is no location of the program       │    │
"
    );
}

#[test]
fn source_text_and_its_stand_ins() {
    let load = access(AccessEvent::Load, y(), 0);
    let steps = vec![
        step(0, Span::new(4, 2, 10), Event::Fence(Orderings::ALL)),
        // The instruction does not name the place.
        step(1, STORE_X, load.clone()),
        step(1, Span::new(5, 16, 9), load.clone()),
        // A span outside the file, and none at all.
        step(1, Span::new(70, 2, 3), load.clone()),
        step(1, Span::NOWHERE, load.clone()),
        step(0, Span::new(6, 1, 99), load),
    ];
    assert_eq!(
        text(steps, None),
        r"     P0                          │ P1                            │ memory
  ───────────────────────────────┼───────────────────────────────┼───────
  1  MOV [x],$1  passes          │                               │
  2                              │ MOV [x],$1  y → 0 from memory │
  3                              │ MOV EAX,[  y → 0 from memory  │
  4                              │ y → 0 from memory             │
  5                              │ y → 0 from memory             │
  6  exists (0:EAX=0 /\ 1:EAX=0) │                               │
       y → 0 from memory         │                               │
"
    );
}

#[test]
fn stores_that_do_not_wait_take_one_row() {
    let value = 1;
    let buffer = access(AccessEvent::Buffer, x(), value);
    let commit = access(AccessEvent::Commit, x(), value);
    let compute = Event::Compute { value: 9 };
    let steps = vec![
        step(0, STORE_X, buffer.clone()),
        step(0, STORE_X, compute.clone()),
        step(0, STORE_X, commit.clone()),
        // The store of another instruction does not end the wait of this one.
        step(0, STORE_X, buffer.clone()),
        step(0, LOAD_Y, commit.clone()),
        step(0, STORE_X, commit.clone()),
        // A loop that starts between the two keeps them apart.
        step(0, STORE_X, buffer),
        step(0, STORE_X, compute),
        step(0, STORE_X, commit),
    ];
    assert_eq!(
        text(steps, Some(7)),
        r"     P0                                       │ P1 │ memory
  ────────────────────────────────────────────┼────┼───────
  1  MOV [x],$1                               │    │ x=1
       ▶ x=1 reaches memory, x=1 waits in the │    │
       buffer                                 │    │
  2  MOV EAX,[y]  ▶ x=1 reaches memory        │    │ x=1
  3  ▶ x=1 reaches memory                     │    │ x=1
  4  MOV [x],$1  x=1 waits in the buffer      │    │
  ── repeats for ever from here ──────────────┼────┼───────
  5  ▶ x=1 reaches memory                     │    │ x=1
"
    );
}

#[test]
fn lasso() {
    let load = access(AccessEvent::Load, y(), 0);
    let spin = vec![
        step(0, STORE_X, access(AccessEvent::Commit, x(), 1)),
        step(0, LOAD_Y, load),
        step(0, LOAD_Y, Event::Compute { value: 0 }),
    ];
    assert_eq!(
        text(spin.clone(), Some(1)),
        r"     P0                               │ P1 │ memory
  ────────────────────────────────────┼────┼───────
  1  MOV [x],$1  ▶ x=1 reaches memory │    │ x=1
  ── repeats for ever from here ──────┼────┼───────
  2  MOV EAX,[y]  → 0 from memory     │    │
"
    );
    assert_eq!(
        text(spin, Some(2)),
        r"     P0                               │ P1 │ memory
  ────────────────────────────────────┼────┼───────
  1  MOV [x],$1  ▶ x=1 reaches memory │    │ x=1
  2  MOV EAX,[y]  → 0 from memory     │    │
  ── repeats for ever from here, with nothing to show
"
    );
}

#[test]
fn many_threads_stay_narrow() {
    let steps = (0..5).map(|thread| {
        let (place, value) = (y(), 0);
        step(thread, LOAD_Y, access(AccessEvent::Forward, place, value))
    });
    assert_eq!(
        text(steps.collect(), None),
        r"  1  P0 │ MOV EAX,[y]  → 0 from own store, not yet in memory
  2  P1 │ MOV EAX,[y]  → 0 from own store, not yet in memory
  3  P2 │ MOV EAX,[y]  → 0 from own store, not yet in memory
  4  P3 │ MOV EAX,[y]  → 0 from own store, not yet in memory
  5  P4 │ MOV EAX,[y]  → 0 from own store, not yet in memory
"
    );
}

fn out_of_order(step: Step, ahead_of: Option<Span>, speculative: bool) -> Step {
    Step {
        ahead_of,
        speculative,
        ..step
    }
}

#[test]
fn what_a_step_overtook() {
    let load = |thread, span, place| step(thread, span, access(AccessEvent::Load, place, 0));
    let commit = access(AccessEvent::Commit, y(), 1);
    let steps = vec![
        out_of_order(load(0, LOAD_Y, y()), Some(STORE_X), false),
        out_of_order(step(1, STORE_Y, commit), Some(Span::NOWHERE), false),
        out_of_order(load(1, LOAD_X, x()), None, true),
        out_of_order(load(1, LOAD_X, x()), Some(STORE_Y), true),
    ];
    assert_eq!(
        text(steps, None),
        r"     P0                                     │ P1                                        │ memory
  ──────────────────────────────────────────┼───────────────────────────────────────────┼───────
  1  MOV EAX,[y]                            │                                           │
       → 0 from memory, ahead of MOV [x],$1 │                                           │
  2                                         │ MOV [y],$1                                │ y=1
                                            │   ▶ y=1 reaches memory, ahead of an       │
                                            │   earlier access                          │
  3                                         │ MOV EAX,[x]                               │
                                            │   → 0 from memory, on a guess, → 0 from   │
                                            │   memory, on a guess, ahead of MOV [y],$1 │
"
    );
}

#[test]
fn a_fence_in_the_buffer_says_what_waits() {
    let waits = |orderings| step(0, Span::NOWHERE, Event::FenceWaits(orderings));
    let both = Orderings::STORE_LOAD.union(Orderings::STORE_STORE);
    let steps = [Orderings::STORE_LOAD, Orderings::STORE_STORE, both].map(waits);
    let text = text(steps.to_vec(), None);
    for later in ["loads", "stores", "accesses"] {
        let wanted = format!("later {later} wait for the buffer");
        assert!(text.contains(&wanted), "{text}");
    }
}

/// A load, an update and an own store seen early, by instructions that name their
/// place, name it as part of another word, or do not name it.
#[test]
fn loads_name_their_place_where_the_instruction_does_not() {
    let mut program = program();
    program.source = Source::new(
        "t",
        "ld [y], %r1\nld [my], %r1\nld [%y], %r1\nld [y+%o1], %r1\nswap [y], %r1\n",
    );
    let (place, value) = (y(), 3);
    let line = |line, length, event| step(0, Span::new(line, 1, length), event);
    let swap = update(place, 3, Some(4));
    let steps = vec![
        line(1, 11, access(AccessEvent::Load, place, value)),
        line(2, 12, access(AccessEvent::Load, place, value)),
        line(3, 12, access(AccessEvent::Forward, place, value)),
        line(4, 15, access(AccessEvent::Load, place, value)),
        line(5, 13, swap),
    ];
    let execution = Execution::new(&program, steps, None);
    assert_eq!(
        execution_text(&program, &[], &execution, &View::default()),
        r"     P0                                        │ P1 │ memory
  ─────────────────────────────────────────────┼────┼───────
  1  ld [y], %r1  → 3 from memory              │    │
  2  ld [my], %r1  y → 3 from memory           │    │
  3  ld [%y], %r1                              │    │
       y → 3 from own store, not yet in memory │    │
  4  ld [y+%o1], %r1  → 3 from memory          │    │
  5  swap [y], %r1  ▶ y: 3 → 4                 │    │ y=4
"
    );
}

/// A lasso of two threads whose tour starts in the middle, with an update in it.
#[test]
fn a_tour_of_two_threads() {
    let update = |old, new| update(x(), old, new);
    let load = access(AccessEvent::Load, y(), 0);
    let steps = vec![
        step(1, STORE_Y, update(0, Some(1))),
        step(0, LOAD_Y, load),
        step(0, LOAD_Y, Event::Branch { taken: true }),
        step(1, STORE_Y, update(1, Some(1))),
        step(1, STORE_Y, update(1, None)),
    ];
    assert_eq!(
        text(steps, Some(1)),
        r"     P0                                  │ P1                                   │ memory
  ───────────────────────────────────────┼──────────────────────────────────────┼───────
  1                                      │ MOV [y],$1  ▶ x: 0 → 1               │ x=1
  ── repeats for ever from here ─────────┼──────────────────────────────────────┼───────
  2  MOV EAX,[y]  → 0 from memory, taken │                                      │
  3                                      │ MOV [y],$1                           │ x=1
                                         │   ▶ x: 1 → 1, x: 1, not the expected │
                                         │   value                              │
"
    );
}
