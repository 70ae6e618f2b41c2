//! The tables of `docs/models.md` say what the code says.

use memory::{FENCES, Model, TABLE};
use program::Orderings;

const DOCS: &str = include_str!("../../../docs/models.md");

/// The rows of the table with this heading, without the line under the heading.
fn rows(heading: &str) -> Vec<&'static str> {
    let lines = DOCS.lines().skip_while(|line| *line != heading);
    lines
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect()
}

#[test]
fn every_model_is_in_the_table_of_models() {
    let expected: Vec<String> = TABLE
        .iter()
        .map(|row| format!("| `{}` | {} | {} |", row.name, row.keeps, row.summary))
        .collect();
    assert_eq!(rows("| model | keeps | in words |"), expected);
}

#[test]
fn every_fence_is_in_the_table_of_fences() {
    let mut fences: Vec<(String, Orderings)> = FENCES
        .iter()
        .map(|fence| (fence.name.to_owned(), fence.orders))
        .collect();
    let membars = Orderings::NAMED.iter();
    fences.extend(membars.map(|(orders, name)| (format!("membar #{name}"), *orders)));
    let expected: Vec<String> = fences
        .iter()
        .map(|(name, orders)| {
            let left = Model::ALL.map(|model| match model.effective(*orders) {
                left if left.is_empty() => "—".to_owned(),
                left => left.to_string(),
            });
            format!("| `{name}` | {orders} | {} |", left.join(" | "))
        })
        .collect();
    assert_eq!(rows("| fence | orders | sc | tso | pso | rmo |"), expected);
}
