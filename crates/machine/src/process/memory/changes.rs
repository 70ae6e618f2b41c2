//! Taking changes of memory back.

use super::{Block, BlockId, Entry, Life, Location, Memory, local_of};
use crate::process::value::Value;
use program::Word;

/// How to take back a change.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// These bytes held something else.
    Bytes(Location, u8, Value),
    /// The block was different.
    Block(BlockId, Block),
    /// The region's heap had this many entries.
    Heap(u16, u32),
    /// The region's innermost local is new; what its entry held.
    Pushed(u16, Option<(u8, Entry)>),
    /// The region had this many locals in use.
    Depth(u16, u32),
    /// The region's local at this position was another.
    Local(u16, u32, (u8, Entry)),
    /// The last region is new.
    Region,
}

impl Memory {
    /// Keeps track of changes from now on, so that they can be taken back.
    pub fn keep_changes(&mut self) {
        self.changes = Some(Vec::new());
    }

    /// Changes so far.
    pub fn changes(&self) -> usize {
        self.changes.as_ref().map_or(0, Vec::len)
    }

    /// What the bytes from `at` on held before the changes from number `since` on.
    pub fn value_before(&self, at: Location, size: u8, since: usize) -> Value {
        let mut value = self.read(at, size.into());
        for change in self.changes.iter().flat_map(|c| c[since..].iter().rev()) {
            match change {
                Change::Bytes(place, old_size, old) if place.block == at.block => {
                    for byte in 0..u64::from(size) {
                        let from = (at.offset + byte).wrapping_sub(place.offset);
                        if from < u64::from(*old_size) {
                            value.set_byte(byte as u32, old.byte(from as u32));
                        }
                    }
                }
                Change::Block(id, block) if *id == at.block => {
                    value = block.bytes.read(at.offset as usize, size.into());
                }
                _ => {}
            }
        }
        value
    }

    /// Puts the object back that lived at an address before the changes from number `since` on, if
    /// one of them ended its life.
    pub fn revive(&mut self, word: Word, since: usize) {
        let first = |change: &Change| match change {
            Change::Block(id, old) if word.wrapping_sub(id.base()) < old.bytes.size => {
                Some((*id, old.clone()))
            }
            _ => None,
        };
        let mut changes = self.changes.iter().flat_map(|c| &c[since..]);
        let Some((id, old)) = changes.find_map(first) else {
            return;
        };
        if matches!(old.bytes.life, Life::Over(_)) {
            return;
        }
        if let Some(block) = self.block(id) {
            if matches!(block.bytes.life, Life::Over(_))
                && let Some(block) = self.block_mut(id)
            {
                *block = old;
            }
        } else if let Some((position, generation)) = local_of(id.index) {
            let locals = &mut self.regions[usize::from(id.region)].locals;
            let new = (generation, Entry::Block(old));
            let used = std::mem::replace(&mut locals[position as usize], new);
            self.note(|_| Some(Change::Local(id.region, position, used)));
        }
    }

    /// Takes back changes until only so many are left.
    pub fn undo(&mut self, left: usize) {
        while let Some(changes) = &mut self.changes
            && changes.len() > left
            && let Some(change) = changes.pop()
        {
            match change {
                Change::Bytes(at, size, old) => self.put(at, size.into(), old),
                Change::Block(id, old) => {
                    let region = self.regions.get_mut(usize::from(id.region));
                    if let Some(entry) =
                        region.and_then(|r| r.entry_mut(id.region.into(), id.index))
                    {
                        *entry = Entry::Block(old);
                    }
                }
                Change::Heap(number, length) => {
                    self.regions[usize::from(number)]
                        .entries
                        .truncate(length as usize);
                }
                Change::Pushed(number, old) => {
                    let region = &mut self.regions[usize::from(number)];
                    region.depth -= 1;
                    match old {
                        Some(old) => region.locals[region.depth as usize] = old,
                        None => region.locals.truncate(region.depth as usize),
                    }
                }
                Change::Local(number, position, old) => {
                    self.regions[usize::from(number)].locals[position as usize] = old;
                }
                Change::Depth(number, depth) => self.regions[usize::from(number)].depth = depth,
                Change::Region => {
                    self.regions.pop();
                }
            }
        }
    }

    pub(super) fn note(&mut self, change: impl FnOnce(&Self) -> Option<Change>) {
        if self.changes.is_some() {
            let change = change(self);
            if let Some(changes) = &mut self.changes {
                changes.extend(change);
            }
        }
    }
}
