//! Litmus tests from seeds, and everything that must agree about them.
//!
//! [`check_one`] generates the test of a seed and judges it in several ways: the search with
//! all its reductions against the plain one, under every model, on both machines, with boxes
//! of several sizes; the engine `sat`; the axioms, where the test is small; and
//! [other shapes](shapes) of the same test.

mod check;
mod grammar;
mod random;
mod shapes;
mod test;

pub use check::{Disagreement, check_one, check_text};
pub use random::Random;
pub use shapes::{Relation, shapes};
pub use test::{Language, Line, Statements, Test};

/// The test of a seed.
pub fn litmus(seed: u64) -> Test {
    grammar::test(seed)
}
