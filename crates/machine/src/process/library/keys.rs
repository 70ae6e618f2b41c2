//! Keys: values that each thread has of its own.
//!
//! A key that was deleted, or that nobody created, must not be used. So creating and deleting
//! a key writes to it in traces, and every use reads it.

use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::value::Value;
use program::in_family::Keys;

impl Process<'_> {
    pub(super) fn key_routine(&mut self, call: &Call, routine: Keys) -> Run<Flow> {
        match routine {
            Keys::KeyCreate => {
                let key = self.create_key(call.id, call.word(1)?);
                let place = call.word(0)?;
                self.write_word(call.id, call.span, place, 4, Value::new(key.into()))?;
                Ok(Flow::Returns(0))
            }
            Keys::KeyDelete => {
                let key = self.key(call)?;
                self.delete_key(call.id, key);
                Ok(Flow::Returns(0))
            }
            Keys::KeyGet => {
                let key = self.key(call)?;
                let keys = &self.threads[call.id.index()].keys;
                let value = keys.iter().find(|(known, _)| *known == key);
                Ok(Flow::Returns(value.map_or(0, |(_, word)| *word)))
            }
            Keys::KeySet => {
                let (key, word) = (self.key(call)?, call.word(1)?);
                let keys = &mut self.threads[call.id.index()].keys;
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
    fn key(&mut self, call: &Call) -> Run<u32> {
        let key = call.word(0)? as u32;
        match self.key_destructor(call.id, key) {
            Some(Some(_)) => Ok(key),
            Some(None) => Err(call.misuse("the key was deleted")),
            None => Err(call.misuse("there is no such key")),
        }
    }
}
