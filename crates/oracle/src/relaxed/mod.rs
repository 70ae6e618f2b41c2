//! The model Relaxed, by its axioms.
//!
//! Burckhardt, Alur and Martin, *CheckFence: Checking Consistency of Concurrent Data Types
//! on Relaxed Memory Models* (PLDI 2007), section 2.3.2: "An execution trace *e* is allowed
//! by the memory model Relaxed if there exists a total order <M over X_e (the memory order)
//! subject to the following conditions. For each load *l*, let S(l) be the set of stores that
//! are 'visible' to *l*: S(l) = { s | a(s) = a(l) and (s <M l or s <p l) }. Then
//!
//! 1. if x <p y, a(x) = a(y), and y stores, then x <M y
//! 2. if S(l) is empty, then v(l) = i(a(l))
//! 3. if s in S(l) and v(l) ≠ v(s), then there exists a store s' in S(l) such that s <M s'."
//!
//! And section 3.1: "An X-Y fence guarantees that all accesses of type X that appear before
//! the fence will be ordered before all accesses of type Y that appear after the fence."
//!
//! Nothing in this orders a load before what is computed from it, so the threads are run
//! first, with any values for their loads ([`runs`]), and an order is looked for afterwards
//! ([`order`]).
//!
//! Deviations:
//!
//! 1. The axioms alone allow every value out of thin air, as in `x = y ∥ y = x`. All values
//!    have to be in the sets of section 3.4 ([`values`]).
//! 2. The paper has atomic blocks. An update or a compare-and-exchange that succeeds is one
//!    access here, which loads and stores; one that fails only loads.

mod order;
mod runs;
mod values;

use crate::path;
use program::{ObservedLocation, Program, ThreadId, Word};
use std::collections::BTreeSet;

/// Every outcome of a program.
pub fn outcomes(program: &Program) -> BTreeSet<Vec<Word>> {
    let cells = path::cells(program);
    let values = values::values(program, &cells);
    let threads = 0..program.threads.len();
    let runs = threads.map(|thread| runs::runs(program, &cells, &values, ThreadId::from(thread)));
    let runs: Vec<_> = runs.collect();
    let mut found = BTreeSet::new();
    for chosen in runs::combinations(&runs, &cells) {
        for memory in order::final_memories(&cells, &chosen) {
            let observed = program.observed.iter().map(|observable| {
                let word = match observable.location {
                    ObservedLocation::Observation => {
                        panic!("not supported by the oracle: {observable:?}")
                    }
                    ObservedLocation::Memory(address) => {
                        let address = address.to_word();
                        let cell = cells.iter().position(|cell| cell.address == address);
                        memory[cell.expect("observables are cells")]
                    }
                    ObservedLocation::Register(thread, register) => {
                        chosen[thread.index()].registers[register.index()]
                    }
                };
                observable.width.truncate(word)
            });
            found.insert(observed.collect());
        }
    }
    found
}
