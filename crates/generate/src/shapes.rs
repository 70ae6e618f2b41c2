//! Other shapes of a test, and what they have in common with it.

use crate::random::Random;
use crate::test::{Language, Line, Test};

/// How the outcomes of a shape relate to those of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are the same, and so is the verdict.
    Same,
    /// There are no others.
    NoMore,
}

/// Shapes of `test`, each with its name and relation.
pub fn shapes(test: &Test, seed: u64) -> Vec<(&'static str, Relation, Test)> {
    let random = &mut Random::new(!seed);
    let mut shapes = Vec::new();
    let mut turned = test.clone();
    turned.order.reverse();
    shapes.push(("threads in another order", Relation::Same, turned));
    let mut renamed = test.clone();
    // `CMPXCHG` has its own idea of the first.
    renamed.registers = *random.pick(&[*b"acdb", *b"adcb", *b"abdc"]);
    shapes.push(("other registers", Relation::Same, renamed));
    let mut labelled = test.clone();
    for (thread, lines) in labelled.threads.iter_mut().enumerate() {
        for (index, line) in lines.iter_mut().enumerate() {
            if !is_slot(test, thread, index) {
                line.labels.push(format!("extra{index}"));
            }
        }
        lines.push(Line {
            labels: vec!["last".to_owned()],
            text: String::new(),
        });
    }
    shapes.push(("labels that nobody goes to", Relation::Same, labelled));
    let nothing = match test.language {
        Language::X86 => "NOP",
        Language::Sparc => "nop",
    };
    if !test.watches_labels() {
        shapes.push((
            "one more NOP",
            Relation::Same,
            with_line(test, random, nothing),
        ));
    }
    if test.statements.of_all_states.is_empty() {
        let fence = match test.language {
            Language::X86 => *random.pick(&["MFENCE", "LFENCE", "SFENCE"]),
            Language::Sparc => *random.pick(&["membar #Sync", "membar #StoreLoad", "stbar"]),
        };
        shapes.push((
            "one more fence",
            Relation::NoMore,
            with_line(test, random, fence),
        ));
    }
    shapes
}

/// Whether the line is in the delay slot of a branch.
fn is_slot(test: &Test, thread: usize, index: usize) -> bool {
    test.language == Language::Sparc
        && index > 0
        && test.threads[thread][index - 1].text.starts_with('b')
}

fn with_line(test: &Test, random: &mut Random, text: &str) -> Test {
    let mut changed = test.clone();
    let thread = random.below(test.threads.len());
    let places: Vec<usize> = (0..=test.threads[thread].len())
        .filter(|&index| !is_slot(test, thread, index))
        .collect();
    let index = *random.pick(&places);
    changed.threads[thread].insert(index, Line::new(text));
    changed
}
