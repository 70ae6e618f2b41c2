//! Turns of loops: bounding them, and waiting where a turn changed nothing.

use super::thread::{Thread, Turn};
use super::value::Value;
use super::{End, Process, Run};
use program::{Bound, Fault, FaultKind, ThreadId};

/// Turns of a loop before a thread that nobody can disturb starts to look whether they
/// change anything, now and then.
const TURNS_ON_TRUST: u32 = 64;
/// What a turn may read before it is taken to change something.
const MOST_SEEN: usize = 4096;

impl Process<'_> {
    pub(super) fn enter_loop(&mut self, id: ThreadId, number: u32) {
        let mark = &self.image.loops[number as usize];
        if !mark.may_wait && self.limits.unroll.is_none() {
            return;
        }
        let recorded = !self.is_direct(id);
        let thread = &mut self.threads[id.index()];
        let depth = thread.frames.len() as u32;
        let known = thread
            .turns
            .iter()
            .position(|turn| (turn.number, turn.depth) == (number, depth));
        if let Some(known) = known {
            thread.turns.truncate(known);
        }
        if thread.turns.is_empty() {
            thread.seen.clear();
        }
        let turn = Turn {
            number,
            depth,
            count: 0,
            recorded,
            changes: thread.changes,
            seen: thread.seen.len() as u32,
            carried: carried(thread, &mark.carried),
        };
        thread.turns.push(turn);
    }

    /// Starts another turn; false if the thread stops here, or the execution is cut off.
    pub(super) fn repeat_loop(&mut self, id: ThreadId, number: u32) -> Run<bool> {
        let mark = &self.image.loops[number as usize];
        let direct = self.is_direct(id);
        let thread = &mut self.threads[id.index()];
        let depth = thread.frames.len() as u32;
        let known = thread
            .turns
            .iter()
            .rposition(|turn| (turn.number, turn.depth) == (number, depth));
        let Some(known) = known else {
            return Ok(true);
        };
        thread.turns.truncate(known + 1);
        let carried = carried(thread, &mark.carried);
        let turn = &mut thread.turns[known];
        turn.count += 1;
        let same = turn.recorded && turn.changes == thread.changes && turn.carried == carried;
        let waits = same && mark.may_wait && !self.limits.plain;
        if let Some(most) = self.limits.unroll
            && turn.count > most
            && !waits
        {
            self.end = Some(End::Cut(Bound::Unroll(most, mark.span)));
            return Ok(false);
        }
        let start = turn.seen as usize;
        // Waiting is no turn that a bound should count.
        turn.count -= u32::from(waits);
        // The thread waits at the next thing that others can notice; if a whole turn had
        // none, it waits here.
        let stops = waits && !thread.awaiting.is_empty();
        if waits {
            thread.awaiting = thread.seen[start..].to_vec();
            if thread.awaiting.is_empty() {
                let message = "a loop that goes round for ever without doing anything";
                return Err(Box::new(Fault::new(FaultKind::Endless, message)));
            }
        }
        turn.carried = carried;
        turn.changes = thread.changes;
        turn.recorded = !direct || turn.count >= TURNS_ON_TRUST && turn.count.is_power_of_two();
        match known {
            0 => thread.seen.truncate(start),
            _ => turn.seen = thread.seen.len() as u32,
        }
        if thread.seen.len() > MOST_SEEN {
            thread.changes += 1;
            for turn in &mut thread.turns {
                turn.seen = 0;
            }
            thread.seen.clear();
        }
        Ok(!stops)
    }
}

fn carried(thread: &Thread, registers: &[u32]) -> Vec<Value> {
    let base = thread.frame().map_or(0, |frame| frame.base);
    let value = |register: &u32| thread.registers[(base + register) as usize];
    registers.iter().map(value).collect()
}
