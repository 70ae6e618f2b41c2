//! The breaker for litmus tests: tests from seeds, and everything that must agree about them.
//!
//! [`run`](run::run) generates tests of everything that `docs/reference/litmus.md` promises, judges each in
//! several ways ([`check()`]), runs those of X86 on the processor, and makes what disagrees
//! small. `cargo xtask differ --litmus` is its command.

mod check;
mod formula;
mod grammar;
mod instruction;
mod native;
mod questions;
mod random;
mod rewrites;
pub mod run;
mod setting;
mod shapes;
mod shrink;
mod skeleton;
mod sparc;
mod test;
mod workers;
mod x86;

pub use check::{Disagreement, Judged, check, check_text, chosen};
pub use instruction::Language;
pub use shapes::{Relation, Shape};
pub use test::Test;
pub use workers::in_parallel;

/// The test of a seed.
pub fn litmus(seed: u64) -> Test {
    grammar::test(seed, &Language::ALL)
}
