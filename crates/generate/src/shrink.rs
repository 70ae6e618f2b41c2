//! Making a test small while it stays wrong in the same way.

use crate::formula::Formula;
use crate::instruction::Operand;
use crate::test::{Initial, Layout, Test};

/// Attempts before a test counts as small enough.
const MOST_ATTEMPTS: usize = 400;

/// The smallest test found for which `fails` holds; it does for `test`.
pub fn shrink(test: &Test, mut fails: impl FnMut(&Test) -> bool) -> Test {
    let mut small = test.clone();
    let mut attempts = 0;
    loop {
        let mut candidates = smaller(&small).into_iter();
        let next = candidates.find(|candidate| {
            attempts += 1;
            attempts <= MOST_ATTEMPTS && fails(candidate)
        });
        match next {
            Some(next) => small = next,
            None => return small,
        }
    }
}

/// Tests that are a little smaller, those that promise most first. Some cannot be read.
fn smaller(test: &Test) -> Vec<Test> {
    let mut found = Vec::new();
    if test.layout.is_shared() {
        found.push(test.separate());
    }
    for thread in 0..test.threads.len() {
        found.extend(without_thread(test, thread));
    }
    statements(test, &mut found);
    for thread in 0..test.threads.len() {
        for index in 0..test.threads[thread].len() {
            lines(test, thread, index, &mut found);
        }
    }
    initial(test, &mut found);
    found
}

fn without_thread(test: &Test, thread: usize) -> Option<Test> {
    let formulas = || {
        let condition = test.statements.condition.iter().map(|(_, f)| f);
        let rest = test.statements.of_all_states.iter().map(|(_, f)| f);
        condition.chain(rest).chain(&test.statements.filter)
    };
    let mut named = Vec::new();
    formulas().for_each(|formula| formula.threads(&mut named));
    if test.threads.len() == 1 || named.contains(&thread) || test.layout.is_shared() {
        return None;
    }
    let mut changed = test.clone();
    changed.threads.remove(thread);
    changed.order = (0..changed.threads.len()).collect();
    changed.initial.retain(|(of, ..)| *of != thread);
    for (of, ..) in &mut changed.initial {
        *of -= usize::from(*of > thread);
    }
    let statements = &mut changed.statements;
    let condition = statements.condition.iter_mut().map(|(_, f)| f);
    let rest = statements.of_all_states.iter_mut().map(|(_, f)| f);
    condition
        .chain(rest)
        .chain(&mut statements.filter)
        .for_each(|formula| formula.without_thread(thread));
    changed.observe();
    Some(changed)
}

fn statements(test: &Test, found: &mut Vec<Test>) {
    let mut with = |change: &dyn Fn(&mut Test)| {
        let mut changed = test.clone();
        change(&mut changed);
        found.push(changed);
    };
    if test.statements.filter.is_some() {
        with(&|test| test.statements.filter = None);
    }
    if let Some((_, formula)) = &test.statements.condition {
        with(&|test| test.statements.condition = None);
        for part in formula.parts() {
            with(&|test| {
                if let Some((_, formula)) = &mut test.statements.condition {
                    *formula = part.clone();
                }
            });
        }
    }
    for (index, (_, formula)) in test.statements.of_all_states.iter().enumerate() {
        with(&|test| {
            test.statements.of_all_states.remove(index);
        });
        for part in formula.parts() {
            let part: &Formula = part;
            with(&|test| test.statements.of_all_states[index].1 = part.clone());
        }
    }
}

fn lines(test: &Test, thread: usize, index: usize, found: &mut Vec<Test>) {
    let line = &test.threads[thread][index];
    let mut with = |change: &dyn Fn(&mut Test)| {
        let mut changed = test.clone();
        change(&mut changed);
        changed.observe();
        found.push(changed);
    };
    with(&|test| {
        test.threads[thread].remove(index);
    });
    if !line.labels.is_empty() {
        with(&|test| test.threads[thread][index].labels.clear());
    }
    let Some(instruction) = &line.instruction else {
        return;
    };
    if instruction.lock {
        with(&|test| {
            if let Some(one) = &mut test.threads[thread][index].instruction {
                one.lock = false;
            }
        });
    }
    for (at, operand) in instruction.operands.iter().enumerate() {
        if matches!(operand, Operand::Number(number) if !(0..=1).contains(number)) {
            with(&|test| {
                if let Some(one) = &mut test.threads[thread][index].instruction {
                    one.operands[at] = Operand::Number(1);
                }
            });
        }
    }
}

fn initial(test: &Test, found: &mut Vec<Test>) {
    for index in 0..test.initial.len() {
        let mut changed = test.clone();
        changed.initial.remove(index);
        found.push(changed);
    }
    for index in 0..test.locations.len() {
        let mut without = test.clone();
        without.locations.remove(index);
        found.push(without);
        let values = &test.locations[index].initial;
        if values
            .iter()
            .any(|value| matches!(value, Initial::Number(_)))
        {
            let mut changed = test.clone();
            changed.locations[index].initial.clear();
            found.push(changed);
        }
    }
    if test.layout == Layout::Columns && test.parentheses {
        let mut changed = test.clone();
        changed.parentheses = false;
        found.push(changed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Language;

    /// A test that fails as long as it has a full fence keeps little else.
    #[test]
    fn what_does_not_matter_goes() {
        let fenced = |test: &Test| {
            let readable = frontend::read(&program::Source::new("t", test.text())).is_ok();
            readable && test.instructions().any(|one| one.mnemonic == "MFENCE")
        };
        let mut seeds = 0..500;
        let large = seeds.find_map(|seed| {
            let test = crate::grammar::test(seed, &[Language::X86]);
            (fenced(&test) && test.threads.len() > 1).then_some(test)
        });
        let small = shrink(&large.expect("a test with a fence"), fenced);
        assert_eq!(small.threads.len(), 1, "{}", small.text());
        assert_eq!(small.instructions().count(), 1, "{}", small.text());
        assert!(small.statements.condition.is_none());
    }
}
