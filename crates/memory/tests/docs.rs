//! The tables of `docs/reference/models.md` say what the code says.

use memory::c11::{Around, ORDERS};
use memory::{FENCES, Model, TABLE};
use program::Orderings;

const DOCS: &str = include_str!("../../../docs/reference/models.md");

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
            let left = Model::MACHINES.map(|model| match model.effective(*orders) {
                left if left.is_empty() => "—".to_owned(),
                left => left.to_string(),
            });
            format!("| `{name}` | {orders} | {} |", left.join(" | "))
        })
        .collect();
    assert_eq!(rows("| fence | orders | sc | tso | pso | rmo |"), expected);
}

#[test]
fn every_memory_order_is_in_the_table_of_orders() {
    let around = |(before, after): Around| {
        let sides = [("before", before), ("after", after)];
        let sides = sides.iter().filter(|(_, orders)| !orders.is_empty());
        let sides: Vec<String> = sides
            .map(|(side, orders)| format!("{orders} {side}"))
            .collect();
        match sides.is_empty() {
            true => "—".to_owned(),
            false => sides.join(", "),
        }
    };
    let expected: Vec<String> = ORDERS
        .iter()
        .map(|row| {
            let accesses = [row.load, row.store, row.update].map(around).join(" | ");
            let fence = match row.fence.is_empty() {
                true => "—".to_owned(),
                false => row.fence.to_string(),
            };
            format!("| {} | {accesses} | {fence} |", row.order.name())
        })
        .collect();
    let heading = "| order | load | store | read-modify-write | `atomic_thread_fence` |";
    assert_eq!(rows(heading), expected);
}
