use crate::store_buffering::*;
use answer::{Bound, ModelResult, Outcome, Verdict, Violation};
use program::{Liveness, Program, Property, Quantifier, Span, ThreadId};
use report::{View, check_text};

#[test]
fn allowed_with_a_witness() {
    assert_eq!(
        check_text(&program(), &under_tso(), &View::default()),
        r"SB.litmus under tso, machine store-buffer, engine states: 40 states in 0.25 ms
Test SB Allowed
States 4
0:EAX=0; 1:EAX=0;
0:EAX=0; 1:EAX=1;
0:EAX=1; 1:EAX=0;
0:EAX=1; 1:EAX=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:EAX=0 /\ 1:EAX=0)
Observation SB Sometimes 1 3

holds under tso

A witness:

     P0                                  │ P1                               │ memory
  ───────────────────────────────────────┼──────────────────────────────────┼───────
  1  MOV [x],$1  x=1 waits in the buffer │                                  │
  2  MOV EAX,[y]  → 0 from memory        │                                  │
  3                                      │ MOV [y],$1  ▶ y=1 reaches memory │ y=1
  4                                      │ MOV EAX,[x]  → 0 from memory     │
  5  ▶ x=1 reaches memory                │                                  │ x=1
"
    );
}

#[test]
fn no_witness() {
    assert_eq!(
        check_text(&program(), &under_sc(), &View::default()),
        r"SB.litmus under sc, machine store-buffer, engine states: 16 states in 0.12 ms
Test SB Allowed
States 3
0:EAX=0; 1:EAX=1;
0:EAX=1; 1:EAX=0;
0:EAX=1; 1:EAX=1;
No
Witnesses
Positive: 0 Negative: 3
Condition exists (0:EAX=0 /\ 1:EAX=0)
Observation SB Never 0 3

violated under sc: no final state satisfies 0:EAX=0 /\ 1:EAX=0

 --> SB.litmus:6:1
  |
6 | exists (0:EAX=0 /\ 1:EAX=0)
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = more: fencepost explain FP021
"
    );
}

/// The lines that name the test, answer it, and give the verdict.
fn lines(program: &Program, result: &ModelResult) -> [String; 3] {
    let text = check_text(program, result, &View::default());
    let mut lines = text.lines();
    let mut find = |start: &[&str]| {
        let found = lines.find(|line| start.iter().any(|start| line.starts_with(start)));
        found.unwrap_or_default().to_owned()
    };
    [
        find(&["Test"]),
        find(&["Ok", "No", "Undecided"]),
        find(&["holds", "violated", "undecided"]),
    ]
}

#[test]
fn quantifiers() {
    let mut result = under_tso();
    result.verdict = Verdict::Violated;
    result.violation = Some(Violation::FinalState(Outcome(vec![0, 0])));
    assert_eq!(
        lines(&program_with(Quantifier::NotExists), &result),
        [
            "Test SB Forbidden",
            "No",
            r"violated under tso: the final state 0:EAX=0; 1:EAX=0; satisfies 0:EAX=0 /\ 1:EAX=0, which none may",
        ]
    );
    result.violation = Some(Violation::FinalState(Outcome(vec![0, 1])));
    assert_eq!(
        lines(&program_with(Quantifier::Forall), &result),
        [
            "Test SB Required",
            "No",
            r"violated under tso: the final state 0:EAX=0; 1:EAX=1; does not satisfy 0:EAX=0 /\ 1:EAX=0",
        ]
    );
    let mut result = under_sc();
    result.verdict = Verdict::Holds;
    assert_eq!(
        lines(&program_with(Quantifier::NotExists), &result),
        [
            "Test SB Forbidden",
            "Ok",
            "holds under sc (everything covered)"
        ]
    );
}

#[test]
fn bounds() {
    // A witness needs no more; that there is none does.
    assert_eq!(
        lines(&program(), &under_rmo()),
        ["Test SB Allowed", "Ok", "holds under rmo"]
    );
    let mut none = under_rmo();
    none.observation = under_sc().observation;
    assert_eq!(
        lines(&program_with(Quantifier::NotExists), &none),
        [
            "Test SB Forbidden",
            "Ok",
            "holds under rmo up to reorder boxes of at most 10 entries",
        ]
    );
    let mut result = under_sc();
    result.verdict = Verdict::Undecided;
    result.bounds = vec![Bound::States(16)];
    result.violation = None;
    let undecided = "undecided under sc: the search covers only the first 16 states";
    assert_eq!(
        lines(&program(), &result),
        ["Test SB Allowed", "Undecided", undecided]
    );
    assert_eq!(
        lines(&program_with(Quantifier::NotExists), &result),
        ["Test SB Forbidden", "Undecided", undecided]
    );
    result.verdict = Verdict::Violated;
    result.violation = Some(Violation::Deadlock(vec![stuck(0)]));
    assert_eq!(
        lines(&program(), &result)[2],
        "violated under sc: deadlock: P0 can never go on (the search covers the first 16 states)"
    );
}

#[test]
fn every_violation_has_its_sentence() {
    let program = program_without_condition();
    let sentence = |violation| {
        let mut result = under_sc();
        result.observation = None;
        result.violation = Some(violation);
        let text = check_text(&program, &result, &View::default());
        let (first, verdict) = text.split_once('\n').unwrap();
        assert!(first.starts_with("SB.litmus under sc"));
        let verdict = verdict.strip_prefix("violated under sc: ").unwrap();
        let (headline, explanation) = verdict.split_once("\n\n").unwrap();
        assert!(explanation.contains("= more: fencepost explain FP0"));
        headline.to_owned()
    };
    assert_eq!(
        sentence(Violation::Invariant(both_zero())),
        r"a reachable state breaks the invariant 0:EAX=0 /\ 1:EAX=0"
    );
    let liveness = |repeatedly| {
        let property = Property {
            formula: both_zero(),
            span: Span::NOWHERE,
        };
        Violation::Liveness(Liveness {
            repeatedly,
            property,
        })
    };
    assert_eq!(
        sentence(liveness(false)),
        r"a fair execution never satisfies 0:EAX=0 /\ 1:EAX=0"
    );
    assert_eq!(
        sentence(liveness(true)),
        r"a fair execution satisfies 0:EAX=0 /\ 1:EAX=0 only finitely often"
    );
    assert_eq!(
        sentence(Violation::Deadlock(vec![stuck(0), stuck(1), stuck(2)])),
        "deadlock: P0, P1 and P2 can never go on"
    );
    let (thread, span) = (ThreadId(1), LOAD_X);
    assert_eq!(
        sentence(Violation::Assertion { thread, span }),
        "an assertion of P1 fails"
    );
    let address = 0x17;
    assert_eq!(
        sentence(Violation::BadAccess {
            thread,
            span,
            address
        }),
        "P1 accesses 0x17, which is no location of the program"
    );
    let address = x().to_word();
    assert_eq!(
        sentence(Violation::BadAccess {
            thread,
            span,
            address
        }),
        "P1 accesses x in a width that is not its own"
    );
    assert_eq!(
        sentence(Violation::NoWitness),
        "no final state satisfies the condition"
    );
}

#[test]
fn long_lists_are_cut() {
    let mut result = under_tso();
    result.outcomes = (0..100).map(|value| Outcome(vec![value, 0])).collect();
    let text = check_text(&program(), &result, &View::default());
    assert!(text.contains("\nStates 100\n"));
    assert!(text.contains("\n0:EAX=63; 1:EAX=0;\n… and 36 more\nOk\n"));
}
