//! What formulas evaluate to, also where values are not known yet.

use program::{
    Address, BlockId, Comparison, Formula, ObjectId, Observable, ObservedLocation, Position,
    RegisterId, StateView, Term, ThreadId, Width, Word,
};

/// The value of `x`, and thread 0 stands at block 1.
struct State(Option<Word>);

impl StateView for State {
    fn value(&self, location: ObservedLocation) -> Option<Word> {
        match location {
            ObservedLocation::Memory(_) => self.0,
            ObservedLocation::Observation | ObservedLocation::Register(..) => None,
        }
    }

    fn at(&self, thread: ThreadId, position: &Position) -> Option<bool> {
        match position {
            Position::Label(block, _) => Some(thread == ThreadId(0) && *block == BlockId(1)),
            Position::End => None,
        }
    }
}

fn x(width: Width, signed: bool) -> Term {
    Term::Value(Observable {
        name: "x".to_owned(),
        location: ObservedLocation::Memory(Address::of(ObjectId(0))),
        width,
        signed,
    })
}

fn unknown() -> Formula {
    let register = Observable {
        name: "0:r".to_owned(),
        location: ObservedLocation::Register(ThreadId(0), RegisterId(0)),
        width: Width::W32,
        signed: true,
    };
    Formula::Compare(Comparison::Equal, Term::Value(register), Term::Number(0))
}

fn x_is(number: i128) -> Formula {
    Formula::Compare(Comparison::Equal, x(Width::W32, true), Term::Number(number))
}

fn not(formula: Formula) -> Formula {
    Formula::Not(Box::new(formula))
}

#[test]
fn comparisons_respect_width_and_sign() {
    let holds = |comparison, width, signed, number| {
        Formula::Compare(comparison, x(width, signed), Term::Number(number))
            .evaluate(&State(Some(0xffff_ffff)))
    };
    use Comparison::*;
    assert_eq!(holds(Equal, Width::W32, true, -1), Some(true));
    // A number is read as the observable is: -1 is 0xffffffff in 32 bits.
    assert_eq!(holds(Equal, Width::W32, false, -1), Some(true));
    assert_eq!(holds(Equal, Width::W32, true, 0xffff_ffff), Some(true));
    assert_eq!(holds(Less, Width::W32, true, 0), Some(true));
    assert_eq!(holds(Less, Width::W32, false, 0), Some(false));
    assert_eq!(holds(GreaterOrEqual, Width::W32, false, 5), Some(true));
    assert_eq!(holds(Equal, Width::W8, false, 255), Some(true));
    assert_eq!(holds(LessOrEqual, Width::W64, true, 0), Some(false));
    assert_eq!(holds(NotEqual, Width::W32, true, 0), Some(true));
    assert_eq!(holds(Greater, Width::W8, true, -2), Some(true));
}

#[test]
fn addresses_compare_with_values() {
    let address = Address::of(ObjectId(2));
    let formula = Formula::Compare(
        Comparison::Equal,
        x(Width::W64, true),
        Term::Address(address, "y".to_owned()),
    );
    assert_eq!(
        formula.evaluate(&State(Some(address.to_word()))),
        Some(true)
    );
    assert_eq!(formula.evaluate(&State(Some(1))), Some(false));
    assert_eq!(formula.evaluate(&State(None)), None);
}

#[test]
fn unknown_values_count_only_where_they_matter() {
    let state = State(Some(1));
    let (yes, no) = (x_is(1), x_is(0));
    assert_eq!(unknown().evaluate(&state), None);
    assert_eq!(not(unknown()).evaluate(&state), None);
    let and = |parts: &[Formula]| Formula::And(parts.to_vec()).evaluate(&state);
    let or = |parts: &[Formula]| Formula::Or(parts.to_vec()).evaluate(&state);
    assert_eq!(and(&[unknown(), no.clone()]), Some(false));
    assert_eq!(and(&[unknown(), yes.clone()]), None);
    assert_eq!(or(&[unknown(), yes.clone()]), Some(true));
    assert_eq!(or(&[unknown(), no.clone()]), None);
    assert_eq!((and(&[]), or(&[])), (Some(true), Some(false)));
    assert_eq!(and(&[yes.clone(), not(no)]), Some(true));
}

#[test]
fn control() {
    let at = |thread, block| {
        let position = Position::Label(BlockId(block), "L".to_owned());
        Formula::At(ThreadId(thread), position).evaluate(&State(None))
    };
    assert_eq!(at(0, 1), Some(true));
    assert_eq!(at(0, 0), Some(false));
    assert_eq!(at(1, 1), Some(false));
    let end = Formula::At(ThreadId(0), Position::End);
    assert_eq!(end.evaluate(&State(None)), None);
}

#[test]
fn formulas_know_what_they_speak_of() {
    let end = Formula::At(ThreadId(3), Position::End);
    let formula = Formula::Or(vec![not(x_is(1)), Formula::And(vec![end, unknown()])]);
    let names: Vec<&str> = formula
        .observables()
        .iter()
        .map(|o| o.name.as_str())
        .collect();
    assert_eq!(names, ["x", "0:r"]);
    assert_eq!(formula.threads(), [ThreadId(0), ThreadId(3)]);
    assert_eq!(formula.to_string(), "~(x=1) \\/ (P3@end /\\ 0:r=0)");
}
