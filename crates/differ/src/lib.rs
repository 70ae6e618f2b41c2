//! The breaker: looks for programs on which the engines disagree.
//!
//! [`run`](run::run) generates C programs from a grammar of what Fencepost promises to understand
//! ([`families`]), asks every engine under every model ([`engines`]), and compares the answers with each other and with
//! the answers to [other shapes](shapes) of the same program ([`judge`]). What disagrees is made small
//! ([`shrink`]) and written as a C file.

pub mod axioms;
pub mod batch;
pub mod by_hand;
pub mod engines;
pub mod extra;
pub mod families;
pub mod judge;
pub mod library;
pub mod native;
pub mod print;
pub mod random;
pub mod refine;
pub mod run;
pub mod shapes;
pub mod shrink;
pub mod sketch;
pub mod write;
