//! The end of threads, and what is left behind.

use super::Process;
use super::acts::{ActKind, PseudoLocation};
use super::memory::{BlockId, Life, Origin};
use super::thread::Standing;
use super::value::Value;
use answer::{Event, Fault, Warning};
use program::{ThreadId, Word};
use std::collections::HashSet;

impl Process<'_> {
    /// True if a thread stands before its end, as a step of its own.
    #[inline(always)]
    pub(super) fn is_at_end(&self, id: ThreadId) -> bool {
        self.threads[id.index()].result.is_some() && self.is_end_a_step(id)
    }

    fn is_end_a_step(&self, id: ThreadId) -> bool {
        self.threads[id.index()].frames.len() == 1
            && (self.is_end_noticed(id) || self.has_own_values(id))
    }

    /// True if a thread still has values of keys, whose destructors are to be looked for when it ends. The main
    /// thread's values are not destroyed when it returns, which ends the process.
    pub(super) fn has_own_values(&self, id: ThreadId) -> bool {
        let thread = &self.threads[id.index()];
        (id.0 != 0 || thread.left) && thread.keys.iter().any(|(_, value)| *value != 0)
    }

    /// True if others may notice when a thread ends: they look whether it has, or can reach what ends
    /// with it.
    fn is_end_noticed(&self, id: ThreadId) -> bool {
        self.watches_ends || self.ends_with_locals(id) && self.memory.has_shared_locals(id)
    }

    /// What main declares lives on, as other threads may.
    fn ends_with_locals(&self, id: ThreadId) -> bool {
        id.index() >= self.image.program.threads.len()
    }

    /// Calls the first destructor that a thread's values have. If they have none, they are forgotten.
    fn call_destructor(&mut self, id: ThreadId) -> Result<(), Box<Fault>> {
        let own = self.threads[id.index()].keys.clone();
        let mut next = None;
        for (index, (key, value)) in own.into_iter().enumerate().filter(|(_, own)| own.1 != 0) {
            let destructor = self.key_destructor(id, key).flatten().unwrap_or(0);
            if destructor != 0 {
                next = next.or(Some((index, destructor, value)));
            }
        }
        let Some((index, destructor, value)) = next else {
            self.threads[id.index()].keys.clear();
            return Ok(());
        };
        self.threads[id.index()].keys[index].1 = 0;
        let function = self.function_at(destructor)?;
        self.check_callback(function)?;
        let argument = [Value::new(value)];
        let arguments = self.accepted(function, &argument);
        self.enter(id, function, arguments, Default::default())
    }

    /// Goes on with the end of a thread: the destructors of its keys, one at a time, then
    /// its end; false then, or if the thread must stop.
    pub(super) fn end_thread(&mut self, id: ThreadId, at_stop: bool) -> Result<bool, Box<Fault>> {
        if self.has_own_values(id) {
            // Another thread may delete a key.
            if !at_stop && !self.is_direct(id) {
                return Ok(false);
            }
            self.call_destructor(id)?;
            return Ok(true);
        }
        // Where others may notice, the end is a step of its own, after all stores.
        let noticed = self.is_end_noticed(id);
        if noticed && !at_stop && !self.is_direct(id) {
            return Ok(false);
        }
        if noticed {
            self.act(id, ActKind::Drain);
        }
        if self.watches_ends {
            self.act_on(id, PseudoLocation::Thread(id), true);
        }
        let result = self.threads[id.index()].result.unwrap_or_default();
        let span = self.span_of(id);
        if self.ends_with_locals(id) {
            self.end_locals(id, 0, span);
        }
        self.publish(result.word);
        let thread = &mut self.threads[id.index()];
        thread.frames.clear();
        thread.registers.clear();
        thread.iterations.clear();
        thread.seen.clear();
        thread.standing = match thread.detached {
            true => Standing::Joined,
            false => Standing::Ended(result),
        };
        self.note(id, span, |_| Event::Call("ends".to_owned()));
        Ok(false)
    }

    /// Objects of the heap that nothing points to at the end.
    pub(super) fn leaks(&self) -> Vec<Warning> {
        if !self.memory.has_heap() {
            return Vec::new();
        }
        let mut reached: HashSet<BlockId> = HashSet::new();
        let mut words: Vec<Word> = self
            .threads
            .iter()
            .flat_map(|thread| {
                let registers = thread.registers.iter().map(|value| value.word);
                let keys = thread.keys.iter().map(|(_, word)| *word);
                registers.chain(keys)
            })
            .collect();
        words.extend(self.tables.iter().map(|(_, _, address)| *address));
        let alive = |life: Life| life == Life::Alive;
        for (_, block) in self.memory.blocks() {
            if block.origin != Origin::Heap && alive(block.bytes.life) {
                words.extend(block.bytes.words());
            }
        }
        while let Some(word) = words.pop() {
            let Some(at) = self.memory.locate_tagged(word) else {
                continue;
            };
            if let Some(block) = self.memory.block(at.block)
                && reached.insert(at.block)
            {
                words.extend(block.bytes.words());
            }
        }
        let lost = self.memory.blocks().filter(|(id, block)| {
            block.origin == Origin::Heap && alive(block.bytes.life) && !reached.contains(id)
        });
        let warning = |(_, block): (BlockId, &super::memory::Block)| Warning {
            span: block.made_at,
            message: format!("{} bytes allocated here are never freed", block.bytes.size),
        };
        lost.map(warning).collect()
    }
}
