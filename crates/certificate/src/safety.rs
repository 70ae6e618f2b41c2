//! Checks the proof that threads never reach a goal, whatever the size of their store buffers.
//!
//! The text has a [`system`] and an invariant of it. Which conditions make an invariant a proof stands at the head of the file for
//! each kind: [`store_buffers`], [`merged_stores`], [`value_sets`], [`load_buffers`]. Nothing is searched for: every state of an invariant is looked at once.

mod hash;
mod load_buffers;
mod merged_stores;
mod own;
mod store_buffers;
mod system;
mod value_sets;

use crate::error::Reason;
use crate::line::Line;
use crate::summary::InvariantSize;
use hash::Hash;
use load_buffers::LoadBuffers;
use merged_stores::MergedStores;
use store_buffers::StoreBuffers;
use system::{Model, System};
use value_sets::ValueSets;

/// A system and its invariant, as far as they were read.
pub struct Safety {
    system: System,
    /// Of all lines from `system` on.
    hash: Hash,
    /// Of the lines of the system.
    of_system: Option<String>,
    states: StoreBuffers,
    merged: MergedStores,
    sets: ValueSets,
    elements: LoadBuffers,
    /// True once the last line was read.
    ended: bool,
}

impl Safety {
    /// Begins with the words behind `system`.
    pub fn new(text: &str, mut line: Line<'_>) -> Result<Self, Reason> {
        let system = System::new(line.word()?)?;
        line.end()?;
        let mut hash = Hash::default();
        hash.line(text);
        Ok(Safety {
            system,
            hash,
            of_system: None,
            states: StoreBuffers::default(),
            merged: MergedStores::default(),
            sets: ValueSets::default(),
            elements: LoadBuffers::default(),
            ended: false,
        })
    }

    /// Reads a line.
    pub fn line(&mut self, text: &str, number: u64) -> Result<(), Reason> {
        let mut line = Line::new(text);
        let word = line.word()?;
        if self.ended {
            return Err(Reason::Unexpected(word.to_owned()));
        }
        if word == "end" {
            let right = line.word()? == self.hash.text();
            line.end()?;
            self.ended = true;
            return right.then_some(()).ok_or(Reason::Changed);
        }
        let invariant = matches!(word, "s" | "kept" | "m" | "v" | "e");
        if invariant && self.of_system.is_none() {
            self.of_system = Some(self.hash.text());
        }
        self.hash.line(text);
        match word {
            "s" => self.states.read(&self.system, line, number),
            "kept" => self.merged.read_kept(line),
            "m" => self.merged.read(&self.system, line, number),
            "v" => self.sets.read(&self.system, line, number),
            "e" => self.elements.read(&self.system, line, number),
            word if self.of_system.is_none() => self.system.line(word, line),
            word => Err(Reason::Unexpected(word.to_owned())),
        }
    }

    /// Checks the invariant, and that nothing is missing.
    pub fn finish(self) -> Result<InvariantSize, Reason> {
        if !self.ended {
            return Err(Reason::NoEnd);
        }
        let system = &self.system;
        system.check()?;
        let (states, sets) = (self.states.len(), self.sets.len());
        let (merged, elements) = (self.merged.len(), self.elements.len());
        match (states > 0, merged > 0, sets > 0, elements > 0) {
            (true, false, false, false) => self.states.check(system)?,
            (false, true, false, false) => self.merged.check(system)?,
            (false, false, true, false) => {
                self.sets.check(system)?;
                self.sets.check_goals(system)?;
            }
            (false, false, sets, true) => {
                if sets {
                    self.sets.check(system)?;
                }
                self.elements.check(system, sets.then_some(&self.sets))?;
            }
            // Where nothing is wrong, nothing leads there.
            (false, false, false, false) if system.goals.is_empty() => {}
            _ => return Err(Reason::NoInvariant),
        }
        // Load buffers are those of TSO, which has all that SC has.
        if states == 0 && merged == 0 && system.model == Model::Pso {
            return Err(Reason::NotForPso);
        }
        Ok(InvariantSize {
            system: self.of_system.unwrap_or_default(),
            threads: system.threads.len() as u64,
            transitions: system.transitions(),
            goals: system.goals.len() as u64,
            states,
            merged,
            sets,
            elements,
        })
    }
}
