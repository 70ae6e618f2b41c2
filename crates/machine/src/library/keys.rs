//! Keys: values that each thread has of its own.
//!
//! A key that was deleted, or that nobody created, must not be used. So creating and deleting
//! a key writes to it in traces, and every use reads it.

use super::{Caller, Flow, Run};
use crate::process::value::Value;
use program::in_family::Keys;

impl Caller<'_, '_> {
    pub(super) fn key_routine(&mut self, routine: Keys) -> Run<Flow> {
        match routine {
            Keys::KeyCreate => {
                let key = self.create_key(self.word(1)?);
                self.write_word(self.word(0)?, 4, Value::new(key.into()))?;
                Ok(Flow::Returns(0))
            }
            Keys::KeyDelete => {
                let key = self.key()?;
                self.delete_key(key);
                Ok(Flow::Returns(0))
            }
            Keys::KeyGet => {
                let key = self.key()?;
                let value = self.key_values().iter().find(|(known, _)| *known == key);
                Ok(Flow::Returns(value.map_or(0, |(_, word)| *word)))
            }
            Keys::KeySet => {
                let (key, word) = (self.key()?, self.word(1)?);
                let keys = self.key_values();
                match keys.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, value)) => *value = word,
                    None => {
                        keys.push((key, word));
                        keys.sort_unstable();
                    }
                }
                Ok(Flow::Returns(0))
            }
        }
    }

    /// The key that a call uses, which must be there.
    fn key(&mut self) -> Run<u32> {
        let key = self.word(0)? as u32;
        match self.key_destructor(key) {
            Some(Some(_)) => Ok(key),
            Some(None) => Err(self.misuse("the key was deleted")),
            None => Err(self.misuse("there is no such key")),
        }
    }
}
