//! Checks proofs: that a problem has no solution, or that threads never reach what they must not.
//!
//! # Problems
//!
//! A problem has variables, clauses over them, and a graph: nodes, and edges that hold whenever
//! some literals are true. A solution makes a literal of each clause true, and the edges that
//! hold in it make no cycle. A certificate is a text that says what the problem is and proves,
//! step by step, that it has no solution. [`check`] believes nothing that the text says: it
//! checks that each step follows from the problem and the steps before.
//!
//! What a certificate does not show: that the problem says what its subject and its words about it
//! claim. `fencepost certify` compares the subject with a program, and the automata of a system with those of the program.
//!
//! The names that Fencepost writes are `question` (`check`, `prove`, or `refine` and the test), `model`,
//! `program` (a hash of the program, or data type, as `fencepost ir` prints it, but for its first line),
//! `specification` (of `refine`: a hash of the observations that are allowed) and `bounds` (the most
//! iterations of a loop; no execution has more). Options for clang show in the program, and no other option
//! of the command changes what is proved.
//!
//! # The text
//!
//! One thing per line, words and numbers apart by spaces. Variables are numbers from 1, a literal
//! is a variable or its negative, nodes are numbers from 0, edges are numbered from 1 as they
//! come. Each clause has a number of its own, its id. Lists end with 0.
//!
//! | line | meaning |
//! | --- | --- |
//! | `fencepost certificate 1` | the first line |
//! | `for NAME VALUE` | what is proved, for programs to compare; a line for each name |
//! | `about TEXT` | words about what is proved; any number of lines |
//! | `problem VARIABLES NODES CLAUSES EDGES` | how much of each follows |
//! | `c ID LITERALS 0` | a clause of the problem |
//! | `e FROM TO LITERALS 0` | an edge, which holds when all of the literals are true |
//! | `l ID LITERALS 0 EDGES 0` | a clause that holds because the edges make a cycle |
//! | `d ID LITERALS 0 IDS 0` | a clause that follows from others |
//! | `x IDS 0` | clauses that are not used any more |
//!
//! All clauses of the problem stand before its edges, and these before the proof. The proof ends
//! with a clause without literals, unless the problem has one.
//!
//! An `l` line is right when each edge ends where the next begins, the last one ends where the
//! first one begins, and the clause has the negation of each of their literals. A `d` line is
//! right when making its literals false and then, for each clause named, in this order, making
//! its only literal that is not yet false true, ends with a clause all of whose literals are
//! false (reverse unit propagation with hints, as in LRAT: Cruz-Filipe et al., CADE 2017).
//!
//! # Systems
//!
//! A system has locations with finitely many values, threads as finite automata that start in state 0, a memory model, and goals. A
//! certificate has an inductive invariant, and shows that no goal is reached with store buffers of any size. States, locations and values
//! are numbers from 0; `*` is a control or a value that is left open. Instead of `problem` and what follows there are
//!
//! | line | meaning |
//! | --- | --- |
//! | `system MODEL` | `sc`, `tso` or `pso` |
//! | `location VALUES INITIAL` | a location |
//! | `thread STATES` | a thread; its transitions follow |
//! | `skip`, `fence SOURCE TARGET` | a transition that does nothing, or waits for the thread's stores |
//! | `barrier SOURCE TARGET HELD` | under PSO, one that holds back later loads (1), stores (2) or both (3) |
//! | `read`, `write SOURCE TARGET LOCATION VALUE` | one that finds or stores a value |
//! | `update SOURCE TARGET LOCATION READ LEFT` | one that finds a value and leaves another or the same, in one step |
//! | `goal CONTROLS MEMORY` | what must not be reached |
//! | `s CONTROLS MEMORY BUFFERS` | a state with store buffers |
//! | `kept K` | how many stores of a thread to a location are not merged in what follows |
//! | `m CONTROLS MEMORY BUFFERS` | a state with store buffers in which older stores are merged |
//! | `v CONTROLS MEMORY SETS` | a state with sets of values |
//! | `e CONTROLS MEMORY BUFFERS` | an element with load buffers |
//! | `end HASH` | the last line: FNV-1a of 128 bits, of all lines from `system` on |
//!
//! An invariant has lines of `s`, or `kept` and lines of `m`, or lines of `v`, or of `e` and perhaps `v`. The heads of `safety/store_buffers.rs`,
//! `safety/merged_stores.rs`, `safety/value_sets.rs` and `safety/load_buffers.rs` say when each is right.

mod checker;
mod clauses;
mod error;
mod formula;
mod graph;
mod line;
mod safety;
mod summary;

pub use checker::check;
pub use error::{CertificateError, Reason};
pub use summary::{FormulaSize, InvariantSize, Proved, Summary};
