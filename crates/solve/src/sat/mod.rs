//! A solver for clauses and one acyclic order.
//!
//! A problem has variables, clauses over them, and a graph: nodes, and edges that hold whenever
//! one or two literals are true. A model satisfies all clauses, and the edges that hold in it
//! make no cycle. CaDiCaL looks for it. [`OrderBy`] says what keeps the graph acyclic.
//!
//! ```
//! use solve::sat::{Answer, OrderBy, Solver, never};
//!
//! let mut solver = Solver::new(OrderBy::Theory);
//! let (store, load) = (solver.node(), solver.node());
//! let reads = solver.variable();
//! solver.edge(store, load, &[reads]);
//! solver.edge(load, store, &[!reads]);
//! assert_eq!(solver.solve(&[reads], &never()), Answer::Satisfiable);
//! assert_eq!(solver.order(), [0, 1]);
//! solver.edge(load, store, &[]);
//! assert_eq!(solver.solve(&[reads], &never()), Answer::Unsatisfiable);
//! ```
//!
//! [`Solver::with_certificate`] writes down a proof that there is no model, for the crate
//! `certificate` to check.

mod bit_rows;
mod edge;
mod lit;
mod options;
mod ranking;
mod recorder;
mod solver;
mod statistics;
mod theory;
mod transitivity;

pub use edge::Node;
pub use lit::Lit;
pub use solver::{Answer, OrderBy, Solver, Stop, never};
pub use statistics::Statistics;
