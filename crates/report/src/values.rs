//! Values as people and programs read them.

use answer::{Datum, Outcome, Shown};
use program::{Observable, Program, Width, Word};
use serde_json::{Map, Value};

/// The value of an observable: a number, or the name of the location it points to.
pub(crate) fn observed_text(program: &Program, observable: &Observable, word: Word) -> String {
    let word = observable.width.truncate(word);
    program.word_text(word, observable.width, observable.signed)
}

/// `0:EAX=0; x=1;`, as herd7 prints a state.
pub(crate) fn outcome_text(program: &Program, outcome: &Outcome) -> String {
    let values = program.observed.iter().zip(&outcome.0);
    let values: Vec<String> = values
        .map(|(observable, word)| {
            let value = observed_text(program, observable, *word);
            format!("{}={value};", observable.name)
        })
        .collect();
    values.join(" ")
}

/// `{"0:EAX": 0, "x": 1}`.
pub(crate) fn outcome_json(program: &Program, outcome: &Outcome) -> Value {
    let values = program.observed.iter().zip(&outcome.0);
    let values = values.map(|(observable, word)| {
        let value = word_json(program, *word, observable.width, observable.signed);
        (observable.name.clone(), value)
    });
    Value::Object(values.collect::<Map<_, _>>())
}

/// A number, or the name of the location that the word is the address of.
pub(crate) fn word_json(program: &Program, word: Word, width: Width, signed: bool) -> Value {
    datum_json(&Datum::of_cell(program, word, width, signed))
}

/// A value as it is shown: a number, or a text.
pub(crate) fn datum_json(datum: &Datum) -> Value {
    match &datum.shown {
        Shown::Signed(number) => Value::from(*number),
        Shown::Unsigned(number) => Value::from(*number),
        Shown::Text(text) => Value::from(text.as_str()),
    }
}
