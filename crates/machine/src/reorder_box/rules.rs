//! The rules for memory order, read off a reorder box: which entry may be
//! performed first.
//!
//! Rule (m1) comes down to this. An access whose operands are known has no
//! register dependence on anything in the box, because what it depended on has
//! been performed. Control dependence (d1) holds back stores behind an undecided
//! branch. Dependence through memory (d3) holds back a load while an earlier
//! store to its location itself depends on something in the box: on a value, or on
//! an undecided branch.

use super::cell_of;
use super::entry::Entry;
use crate::code::{Code, Op, Pc};
use crate::{Cell, Cells};
use memory::Model;
use program::{AccessKind, Orderings, Span, Word};

fn kind(code: &Code, entry: &Entry) -> Option<AccessKind> {
    match code.ops[entry.pc as usize] {
        Op::Access(access) => Some(access.kind()),
        _ => None,
    }
}

/// Control behind such an entry is speculation.
fn is_undecided(code: &Code, entry: &Entry) -> bool {
    matches!(code.ops[entry.pc as usize], Op::Branch(..) | Op::Assume)
}

/// Whether control behind these entries is speculation.
pub(super) fn is_speculative(code: &Code, before: &[Entry]) -> bool {
    before.iter().any(|entry| is_undecided(code, entry))
}

/// The first access of these entries that has not been performed.
pub(super) fn overtaken(code: &Code, before: &[Entry]) -> Option<Span> {
    let mut waiting = before.iter().filter(|entry| !entry.performed);
    let access = waiting.find(|entry| kind(code, entry).is_some())?;
    Some(code.spans[access.pc as usize])
}

/// Whether the access at `index`, to `cell` and with known operands, may be
/// performed before everything else in the box. If so, the value of the earlier
/// store that a load takes its value from, or `None` for memory.
pub(super) fn may_perform(
    model: Model,
    cells: &Cells,
    code: &Code,
    entries: &[Entry],
    index: usize,
    cell: Cell,
) -> Option<Option<Word>> {
    let mine = kind(code, &entries[index])?;
    let mut fences = Orderings::NONE;
    let mut source = None;
    for (position, earlier) in entries[..index].iter().enumerate().rev() {
        if earlier.performed {
            continue;
        }
        if is_undecided(code, earlier) && mine.store {
            return None; // (d1)
        }
        if let Op::Fence(orderings) = code.ops[earlier.pc as usize] {
            fences = fences.union(orderings);
        }
        let Some(theirs) = kind(code, earlier) else {
            continue;
        };
        if model.row().keeps.orders(theirs, mine) || fences.orders(theirs, mine) {
            return None; // the model's row, (m2)
        }
        if cell_of(cells, code, earlier) != Some(cell) {
            continue;
        }
        if mine.store {
            return None; // (m3)
        }
        if theirs.store {
            if theirs.load || is_speculative(code, &entries[..position]) {
                return None; // (d3) after (d1), or from an update
            }
            let words = earlier.words()?; // (d3) after (d2)
            source = source.or(Some(width_of(code, earlier, words[1])));
        }
    }
    Some(source)
}

fn width_of(code: &Code, entry: &Entry, value: Word) -> Word {
    match code.ops[entry.pc as usize] {
        Op::Access(access) => access.width.truncate(value),
        _ => value,
    }
}

/// Whether a fence with these orderings must wait behind `earlier`.
pub(super) fn holds_fence(code: &Code, earlier: &Entry, fence: Orderings) -> bool {
    !earlier.performed && kind(code, earlier).is_some_and(|kind| fence.orders_after(kind))
}

/// Whether two accesses to the same location, the earlier one first, must reach
/// memory in that order, now that the later one has and the earlier one has not.
fn conflict(earlier: AccessKind, later: AccessKind) -> bool {
    // Loads of one location may swap; see (m3) and (d3) for the rest.
    earlier.store || later.store
}

/// Whether the performed `entry` is still a bet: on the unknown address of one of
/// `before`.
pub(super) fn is_bet(code: &Code, before: &[Entry], entry: &Entry) -> bool {
    let Some(later) = kind(code, entry) else {
        return false;
    };
    before.iter().any(|earlier| {
        !earlier.performed
            && earlier
                .operands
                .first()
                .is_some_and(|slot| slot.known().is_none())
            && kind(code, earlier).is_some_and(|earlier| conflict(earlier, later))
    })
}

/// Whether some entry of such a kind is a bet.
pub(super) fn has_bets(
    code: &Code,
    entries: &[Entry],
    counts: impl Fn(AccessKind) -> bool,
) -> bool {
    let mut performed = entries.iter().enumerate().filter(|(_, e)| e.performed);
    performed.any(|(index, entry)| {
        kind(code, entry).is_some_and(&counts) && is_bet(code, &entries[..index], entry)
    })
}

/// Whether the first of `entries`, whose address has just become known, accesses
/// the location of a later one that was performed too early.
pub(super) fn bet_lost(cells: &Cells, code: &Code, entries: &[Entry]) -> bool {
    let Some((first, later)) = entries.split_first() else {
        return false;
    };
    let Some((cell, earlier)) = cell_of(cells, code, first).zip(kind(code, first)) else {
        return false;
    };
    later.iter().any(|entry| {
        entry.performed
            && cell_of(cells, code, entry) == Some(cell)
            && kind(code, entry).is_some_and(|later| conflict(earlier, later))
    })
}

/// Whether a thread counts as past an operation that has not been performed: a store
/// of a model whose stores may wait, or what only serves such a store.
pub(super) fn may_be_delayed(model: Model, code: &Code, pc: Pc) -> bool {
    let stores_wait = !model.row().keeps.contains(Orderings::STORE_LOAD);
    stores_wait
        && match &code.ops[pc as usize] {
            Op::Access(access) => access.kind() == AccessKind::STORE,
            Op::Assign(..) => code.is_of_plain_store(pc),
            _ => false,
        }
}
