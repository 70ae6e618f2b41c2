//! What threads share that is no memory: the keys, and where `strtok` goes on.
//!
//! The fields are private to this file, and each method tells what it reads or changes, so that no function of the library
//! can use them unnoticed: neither by traces nor by the journal.

use super::Process;
use super::acts::PseudoLocation;
use program::{ThreadId, Word};

/// What threads share that is no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Shared {
    /// Destructors of keys; `None` for a key given up.
    keys: Vec<Option<Word>>,
    /// Where `strtok` goes on.
    token: Word,
}

impl Process<'_> {
    /// A new key.
    pub(super) fn create_key(&mut self, id: ThreadId, destructor: Word) -> u32 {
        let key = self.shared.keys.len() as u32;
        self.act_on(id, PseudoLocation::Keys, true);
        self.act_on(id, PseudoLocation::Key(key), true);
        self.note_shared();
        self.shared.keys.push(Some(destructor));
        key
    }

    /// Gives a key up.
    pub(super) fn delete_key(&mut self, id: ThreadId, key: u32) {
        self.act_on(id, PseudoLocation::Key(key), true);
        self.note_shared();
        if let Some(destructor) = self.shared.keys.get_mut(key as usize) {
            *destructor = None;
        }
    }

    /// The destructor of a key: none if no such key was created, `Some(None)` if it was deleted.
    pub(super) fn key_destructor(&mut self, id: ThreadId, key: u32) -> Option<Option<Word>> {
        self.act_on(id, PseudoLocation::Key(key), false);
        self.shared.keys.get(key as usize).copied()
    }

    /// Where `strtok` goes on.
    pub(super) fn token_rest(&mut self, id: ThreadId) -> Word {
        self.act_on(id, PseudoLocation::Token, false);
        self.shared.token
    }

    /// Sets where `strtok` goes on.
    pub(super) fn set_token_rest(&mut self, id: ThreadId, rest: Word) {
        self.act_on(id, PseudoLocation::Token, true);
        self.note_shared();
        self.shared.token = rest;
    }
}
