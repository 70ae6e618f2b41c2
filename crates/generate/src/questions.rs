//! What a generated test asks: statements and formulas of every kind.

use crate::formula::{Formula, Value};
use crate::instruction::{INDEX, Language, POINTER, Register};
use crate::random::Random;
use crate::test::{Statements, Test};

/// Statements at random. Half of the tests ask about final states only, which is what most
/// engines answer.
pub fn statements(random: &mut Random, test: &Test) -> Statements {
    let mut found = Statements::default();
    if random.one_in(6) {
        found.filter = Some(formula(random, test, false, 1));
    }
    if random.one_in(3) {
        for _ in 0..1 + random.below(3) / 2 {
            let formula = formula(random, test, true, 2);
            found.of_all_states.push(("invariant", formula));
        }
    }
    if random.one_in(5) {
        for _ in 0..1 + random.below(4) / 3 {
            let formula = formula(random, test, true, 2);
            let word = *random.pick(&["eventually", "always eventually"]);
            found.of_all_states.push((word, formula));
        }
    }
    let quiet = !found.of_all_states.is_empty() && !random.one_in(4);
    if !quiet && !random.one_in(8) {
        let formula = formula(random, test, false, 2);
        let words = ["exists", "~exists", "not exists", "forall"];
        found.condition = Some((*random.pick(&words), formula));
    }
    found
}

fn formula(random: &mut Random, test: &Test, labels: bool, depth: usize) -> Formula {
    if depth == 0 || random.one_in(3) {
        return atom(random, test, labels);
    }
    let a = Box::new(formula(random, test, labels, depth - 1));
    let b = Box::new(formula(random, test, labels, depth - 1));
    match random.below(7) {
        0 => Formula::Not(random.pick::<&str>(&["~", "!", "not "]), a),
        1 | 2 => Formula::And(random.pick::<&str>(&["/\\", "&&", "and"]), a, b),
        3 | 4 => Formula::Or(random.pick::<&str>(&["\\/", "||", "or"]), a, b),
        _ => Formula::Implies(a, b),
    }
}

fn atom(random: &mut Random, test: &Test, labels: bool) -> Formula {
    if labels && random.one_in(2) {
        let thread = random.below(test.threads.len());
        let lines = test.threads[thread].iter();
        let mut known: Vec<&String> = lines.flat_map(|line| &line.labels).collect();
        known.retain(|label| label.starts_with(|c: char| c.is_ascii_alphabetic()));
        let end = "end".to_owned();
        known.push(&end);
        return Formula::At(thread, random.pick(&known).to_string());
    }
    if random.one_in(40) {
        return Formula::Constant(random.one_in(2));
    }
    let sign = *random.pick(&["=", "=", "=", "==", "!=", "<>", "<", "<=", ">", ">="]);
    let equality = matches!(sign, "=" | "==" | "!=" | "<>");
    if random.below(3) == 0 || test.observed.is_empty() {
        return about_location(random, test, sign, equality);
    }
    let (thread, slot) = *random.pick(&test.observed);
    let bits = match test.language {
        Language::X86 if slot != POINTER => *random.pick(&[64, 32, 32, 32, 16, 8]),
        _ => 64,
    };
    let register = Value::Register(thread, Register::new(slot, bits), random.one_in(4));
    if slot == POINTER && equality {
        let names = ["x", "y"];
        let name = random.pick(&names).to_string();
        let address = match random.one_in(2) {
            true => Value::Address(name),
            false => Value::AddressOf(name),
        };
        return Formula::Compare(register, sign, address);
    }
    let value = number(random, bits, slot == INDEX);
    Formula::Compare(register, sign, Value::Number(value))
}

fn number(random: &mut Random, bits: u32, small: bool) -> i128 {
    match random.below(10) {
        0 if !small => -1,
        1 if !small => (1 << bits) - 1,
        _ => random.below(4) as i128,
    }
}

fn about_location(random: &mut Random, test: &Test, sign: &'static str, equality: bool) -> Formula {
    let location = random.pick(&test.locations);
    let name = random.pick(&location.cell_names()).clone();
    let left = match random.one_in(4) {
        true => Value::Content(name),
        false => Value::Location(name),
    };
    if location.name == "q" && equality {
        return Formula::Compare(left, sign, Value::Address("x".to_owned()));
    }
    if random.one_in(6) {
        let other = &test.locations[random.below(2)];
        return Formula::Compare(left, sign, Value::Content(other.name.clone()));
    }
    let value = number(random, location.bits, false);
    Formula::Compare(left, sign, Value::Number(value))
}
