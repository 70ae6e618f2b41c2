//! Stores to a thread's own memory that the next iteration of a loop overwrites before anything could read them.
//!
//! A node that is not linked in yet gets its successor in each attempt to link it in. What a failed attempt left there makes no difference: the next one
//! writes it again, whatever it reads. To find that out the code is followed from the loop's header on with nothing known of what loads
//! return. The way must depend on nothing unknown, and nothing on it may read the bytes, call a function or write what others can
//! reach, until all of them have been written.

use super::Process;
use super::fast::{compute, get, locate};
use super::image::{Op, Pc};
use super::value::Value;
use program::{ThreadId, Word};

/// Operations after which the way is too long.
const MOST_OPERATIONS: usize = 256;

/// Bytes that a thread wrote where only it can reach them: address and size.
pub(super) type Dirty = (Word, u8);

impl Process<'_> {
    /// True if a thread that goes on at `pc` overwrites all these bytes before it could read them.
    pub(super) fn is_overwritten(&self, id: ThreadId, mut pc: Pc, mut dirty: Vec<Dirty>) -> bool {
        let thread = &self.threads[id.index()];
        let base = thread.frame().map_or(0, |frame| frame.base as usize);
        let mut registers = thread.registers[base..].to_vec();
        for _ in 0..MOST_OPERATIONS {
            if dirty.is_empty() {
                return true;
            }
            match self.image.ops[pc as usize] {
                Op::Jump(to) => {
                    pc = to;
                    continue;
                }
                Op::Branch(condition, then, otherwise) => {
                    let condition = get(self.image, &registers, condition);
                    if condition.undefined != 0 {
                        return false;
                    }
                    pc = if condition.word != 0 { then } else { otherwise };
                    continue;
                }
                Op::Load(target, address, access) => {
                    // Whether the object is still there is up to other threads, and makes no difference here.
                    let address = get(self.image, &registers, address);
                    let read = (address.word, access.size);
                    if !address.is_defined() || dirty.iter().any(|one| overlaps(*one, read)) {
                        return false;
                    }
                    registers[target as usize] = Value::UNDEFINED;
                }
                Op::Store(address, _, access) => {
                    let address = get(self.image, &registers, address);
                    let at = locate(&self.memory, address, access, true);
                    if !at.is_some_and(|at| self.is_hidden(id, at.block)) {
                        return false;
                    }
                    let written = (address.word, access.size);
                    dirty.retain(|one| !covers(written, *one));
                    if dirty.iter().any(|one| overlaps(*one, written)) {
                        return false;
                    }
                }
                Op::Fence(..) | Op::EnterLoop(_) | Op::Reach(_) => {}
                ref op => {
                    if compute(self.image, &mut registers, op).is_err() {
                        return false;
                    }
                }
            }
            pc += 1;
        }
        false
    }
}

fn end((address, size): Dirty) -> Word {
    address.saturating_add(size.into())
}

fn overlaps(one: Dirty, other: Dirty) -> bool {
    one.0 < end(other) && other.0 < end(one)
}

fn covers(one: Dirty, other: Dirty) -> bool {
    one.0 <= other.0 && end(other) <= end(one)
}
