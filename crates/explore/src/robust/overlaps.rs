//! Whether events use only part of what others use.

use crate::trace::Touch;

/// Which bytes are used together. Nothing is taken back: words keep their numbers, and an overlap in
/// another execution only makes the monitor look more closely.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlaps {
    /// For each byte of each word, the bytes that it was first used with.
    together: Vec<[u8; 8]>,
    /// Some event uses part of what another uses, or several words.
    found: bool,
}

impl Overlaps {
    /// True if some event uses part of what another uses, or several words.
    pub fn found(&self) -> bool {
        self.found
    }

    /// Notes what an event uses.
    pub fn note(&mut self, touches: &[Touch]) {
        if self.found {
            return;
        }
        for touch in touches {
            let first = touch.mask.trailing_zeros() as usize & 7;
            match self.together.get(touch.word as usize) {
                Some(known) if known[first] == touch.mask => {}
                _ => self.note_new(touch),
            }
            self.found |= touch.word != touches[0].word;
        }
    }

    #[cold]
    fn note_new(&mut self, touch: &Touch) {
        let word = touch.word as usize;
        if self.together.len() <= word {
            self.together.resize(word + 1, [0; 8]);
        }
        let known = &mut self.together[word];
        for byte in (0..8).filter(|byte| touch.mask >> byte & 1 != 0) {
            match known[byte] {
                0 => known[byte] = touch.mask,
                mask => self.found |= mask != touch.mask,
            }
        }
    }
}
