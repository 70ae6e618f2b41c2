use crate::store_buffering::*;
use answer::Outcome;
use program::{Address, Object, ObjectId, ObjectKind, ObservedLocation, Program, Span, Width};
use report::{outcome_rows, outcomes_text};

#[test]
fn models_side_by_side() {
    let results = [under_sc(), under_tso(), under_rmo()];
    assert_eq!(
        outcomes_text(&program(), &results),
        r"SB (SB.litmus) under sc, tso, rmo

     0:EAX  1:EAX │ sc  tso  rmo
  1      0      0 │ ·    +    ✓   *
  2      0      1 │ +    ✓    ✓
  3      1      0 │ +    ✓    ✓
  4      1      1 │ +    ✓    ✓

  + allowed, by this model first   ✓ allowed   · not allowed
  * satisfies 0:EAX=0 /\ 1:EAX=0

  sc   3 outcomes  Observation SB Never 0 3      16 states  0.12 ms  1 kB
  tso  4 outcomes  Observation SB Sometimes 1 3  40 states  0.25 ms  1 kB
  rmo  4 outcomes  Observation SB Sometimes 1 3  40 states  1.50 s   1 kB  covers reorder boxes of at most 10 entries
"
    );
    assert_eq!(outcome_rows(&program(), &results)[2], &Outcome(vec![1, 0]));
}

/// Observes a pointer, an unsigned byte, and not all bits that the condition reads.
fn with_pointers() -> Program {
    let mut program = program();
    program.objects.push(Object {
        name: "a".to_owned(),
        cell: Width::W8,
        initial: vec![0, 0],
        zeros: 0,
        kind: ObjectKind::Shared,
        layout: None,
        signed: false,
        span: Span::NOWHERE,
    });
    let byte = program.observable_cell(ObjectId(2), 1);
    program.observed.push(byte);
    program.observed[1].width = Width::W8;
    program
}

#[test]
fn values_by_name_and_sign() {
    let pointer = Address {
        object: ObjectId(2),
        offset: 1,
    };
    let mut result = under_sc();
    result.observation = None;
    result.outcomes = vec![
        Outcome(vec![0, 0, 0]),
        Outcome(vec![pointer.to_word(), 0xff, 0xff]),
    ];
    assert_eq!(
        outcomes_text(&with_pointers(), &[result]),
        r"SB (SB.litmus) under sc

     0:EAX  1:EAX  a[1] │ sc
  1      0      0     0 │ +
  2   a[1]     -1   255 │ +

  + allowed

  sc  2 outcomes    16 states  0.12 ms  1 kB
"
    );
}

#[test]
fn nothing_to_show() {
    let mut result = under_sc();
    result.outcomes.clear();
    result.counts = Default::default();
    result.observation = None;
    assert_eq!(
        outcomes_text(&program_without_condition(), &[result]),
        "SB (SB.litmus) under sc\n\n  no final state\n\n  sc  0 outcomes    0 states  0.12 ms  0 kB\n"
    );
}

#[test]
fn a_row_is_marked_by_the_widest_observation() {
    // The condition reads 32 bits; a byte observed first does not hide them.
    let mut program = program();
    let mut byte = program.observed[0].clone();
    byte.name = "0:AL".to_owned();
    byte.width = Width::W8;
    assert!(matches!(byte.location, ObservedLocation::Register(..)));
    program.observed.insert(0, byte);
    let mut result = under_tso();
    result.outcomes = vec![Outcome(vec![0, 0, 0]), Outcome(vec![0, 0x100, 0])];
    let text = outcomes_text(&program, &[result]);
    let marked: Vec<&str> = text.lines().filter(|line| line.ends_with('*')).collect();
    assert_eq!(marked, ["  1     0      0      0 │  +   *"]);
}
