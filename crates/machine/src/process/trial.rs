//! Steps that are tried, and taken back if they come to nothing.

use super::image::Op;
use super::thread::Standing;
use super::{Act, Mark, Process, Seen, Transition};
use program::{Blocking, Routine, ThreadId, Word};

impl Process<'_> {
    /// True if a thread is about to join another one.
    pub fn is_at_join(&self, id: ThreadId) -> bool {
        let joins = |routine: Routine| routine.row().blocking == Blocking::Join;
        matches!(self.next_op(id), Some(Op::Routine(routine, ..)) if joins(*routine))
    }

    /// Lets a thread go on; false if that was only a silent iteration of a loop in which it waits, or the end of one that took
    /// several steps, the failure of an exchange that is as if the thread had read later, or a read that makes an assumption fail. It is then taken back; what it read is kept for the search for races.
    pub fn try_run(&mut self, id: ThreadId, choice: u32) -> bool {
        let mark = self.mark();
        let read = match self.may_await_assumption(id) {
            true => self.next_read(id),
            false => None,
        };
        let vain = self.reads_in_vain(id);
        self.acts.clear();
        self.perform(Transition::Run(id, choice));
        if let Some(vain) = vain
            && self.end().is_none()
            && self.only_looked()
        {
            // The execution is one that another makes do without, whatever happens to what was read.
            self.spun = vec![vain];
            self.spun_by_assumption = true;
            self.take_back(id, mark);
            return false;
        }
        let awaits = !self.threads[id.index()].awaiting.is_empty();
        if awaits && self.end().is_none() && (self.stands_as_before(id, mark) || self.only_looked())
        {
            self.spun = std::mem::take(&mut self.threads[id.index()].awaiting);
            self.spun_by_assumption = false;
            self.take_back(id, mark);
            return false;
        }
        if let Some(read) = read
            && self.only_failed_assumption(id)
        {
            self.spun = vec![read];
            self.spun_by_assumption = true;
            self.take_back(id, mark);
            return false;
        }
        true
    }

    fn take_back(&mut self, id: ThreadId, mark: Mark) {
        let tried = self.races.clone();
        self.undo(mark);
        self.races_keep_reads(id, tried);
    }

    /// True if all that the step did which just happened was to read, and iterations that are repeated are left out.
    fn only_looked(&self) -> bool {
        self.limits.cut_repeats && self.acts.iter().all(Act::only_looks)
    }

    /// True if a thread whose iteration was silent is back at the very call of the very
    /// operation that it stood before at `mark`. It then did one iteration, and no part of another.
    fn stands_as_before(&self, id: ThreadId, mark: Mark) -> bool {
        let before = self.saved_since(id, mark);
        before.is_some_and(|before| before.frames == self.threads[id.index()].frames)
    }

    /// True if going on with this choice, a spurious failure, leads the thread back to where an iteration of a loop began,
    /// without anything that it or another thread could notice, or to an assumption that fails.
    pub fn only_repeats(&mut self, id: ThreadId, choice: u32) -> bool {
        if !self.limits.cut_repeats || !matches!(self.next_op(id), Some(Op::Exchange(_))) {
            return false;
        }
        let awaits = self.may_await_assumption(id);
        let mark = self.mark();
        self.acts.clear();
        self.perform(Transition::Run(id, choice));
        let repeats = self.threads[id.index()].standing == Standing::Repeating
            || awaits && self.only_failed_assumption(id);
        self.undo(mark);
        repeats
    }

    /// What the thread saw that [`Process::try_run`] last took through a silent iteration, or to an assumption that fails, and whether it
    /// was the latter.
    pub fn spun(&self) -> (&[Seen], bool) {
        (&self.spun, self.spun_by_assumption)
    }

    /// True if a thread that waits could go on if stretches of memory (address and size) were as at
    /// earlier moments. Objects that had not ended then hold its own stores that left the store buffer since.
    pub fn could_run(&mut self, id: ThreadId, tries: bool, memory: &[(Word, u32, Mark)]) -> bool {
        let here = self.mark();
        for (address, size, moment) in memory {
            self.restore(*address, *size, *moment);
        }
        for store in self.strays(id) {
            let (at, size) = (store.at, store.size);
            let address = at.block.base() + at.offset;
            if self.memory.check(address, size.into(), true).is_ok() {
                self.memory.write(at, size.into(), store.value);
            }
        }
        let can = self.ways(id) > 0 && (!tries || self.try_run(id, 0));
        self.undo(here);
        can
    }
}
