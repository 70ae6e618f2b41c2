//! Tests of the solver for clauses and one acyclic order.

mod agreement;
mod brute;
mod certificates;
mod known;
mod larger;
mod mutations;
mod proof;
mod sketch;
