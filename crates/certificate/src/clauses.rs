//! The clauses that are known to hold.

use crate::error::Reason;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// The clauses that are known to hold, by id.
#[derive(Default)]
pub struct Clauses {
    known: FxHashMap<u64, Box<[i32]>>,
    /// The literals that are false while a clause is checked.
    refuted: FxHashSet<i32>,
}

impl Clauses {
    /// Adds a clause.
    pub fn add(&mut self, id: u64, clause: Box<[i32]>) -> Result<(), Reason> {
        match self.known.entry(id) {
            Entry::Occupied(_) => Err(Reason::SecondClause(id)),
            Entry::Vacant(place) => {
                place.insert(clause);
                Ok(())
            }
        }
    }

    /// Takes a clause out.
    pub fn remove(&mut self, id: u64) -> Result<(), Reason> {
        match self.known.remove(&id) {
            Some(_) => Ok(()),
            None => Err(Reason::NoClause(id)),
        }
    }

    /// Checks that a clause follows from others by propagating units in the order given.
    pub fn check(&mut self, clause: &[i32], from: &[u64]) -> Result<(), Reason> {
        self.refuted.clear();
        self.refuted.extend(clause);
        for &id in from {
            let known = self.known.get(&id).ok_or(Reason::NoClause(id))?;
            let mut open = known
                .iter()
                .filter(|literal| !self.refuted.contains(literal));
            match (open.next(), open.next()) {
                (None, _) => return Ok(()),
                (Some(_), Some(_)) => return Err(Reason::NotUnit(id)),
                (Some(unit), None) => self.refuted.insert(-unit),
            };
        }
        Err(Reason::DoesNotFollow)
    }
}
