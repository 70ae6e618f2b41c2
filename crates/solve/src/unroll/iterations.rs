//! Silent iterations: iterations of loops that may be left out.
//!
//! # The condition
//!
//! An iteration of a loop by a thread `t`, from the loop's header back to it, is *silent* if
//!
//! 1. it starts no thread, prints and observes nothing;
//! 2. each of its writes to memory is either
//!    - (a) that of a read-modify-write that writes the value which it read; under Relaxed, if
//!      the program has atomic sections, `t` must not load the location afterwards before it writes there
//!      again; or
//!    - (b) a store to an object made by the program on its way (a local, a heap object) whose address
//!      `t` has not given to other threads, and which `t` neither loads nor gives away before it
//!      stores there again, but for loads of which nothing is stored, observed or decided;
//! 3. every register that is read later has, at the end of the iteration, the value that it had
//!    at the start, or was undefined then; and, where dependences order accesses (RMO), it came at the
//!    start from no load from which it does not come at the end.
//!
//! A store of the value that is there already is a store, so an iteration with one is not
//! silent: another thread's store may come in between, and then the value is back. A
//! compare-and-exchange that fails writes nothing.
//!
//! # Why leaving it out is right
//!
//! Every model of the formula is an execution in which loops have as many iterations as in it, so
//! leaving out iterations never adds a behaviour; whatever fences the iteration contains, the
//! execution without them is one in which the loop was left earlier, and is checked against
//! all rules by itself. What has to be shown is that nothing is lost: if `E` is an execution with
//! a silent iteration, then `E` without the events and fences of the iteration is an execution in which
//! everything else reads, writes and observes the same.
//!
//! - *Undefined values.* Where a register was undefined at the start and is read later, the execution without
//!   the iteration goes wrong, which is reported. Otherwise it does not matter what the register holds.
//! - *Control and values.* By 3 the next iteration, or what follows the loop, starts with the same
//!   values in the registers that it reads, so `t` goes on in the same way if its loads read the same.
//! - *Memory order.* Each rule puts one access before another because of what both are and of what is
//!   between them in program order. With fewer accesses and fences there are fewer constraints, and the order
//!   of `E` satisfies them. Dependences are the exception, as a register now comes from the loads
//!   of the start of the iteration; by 3 those are among the loads from which it comes in `E`.
//! - *Values read.* A load that read a write `w` of the iteration must find the value elsewhere. A
//!   write of kind (b) is read by nobody: who gets to the object does so by its address, after `t` has given that
//!   away, and then finds what `t` stored there since. Loads of which nothing comes may find something else. A write `w` of kind (a) read from `s`, which is the last write
//!   to the location before `w` in memory order. A load `l` that reads `w` comes after `w` in memory
//!   order, or after it in program order. In the first case it comes after `s`, too, and
//!   with `w` gone `s` is the last write that it sees, with the same value. In the second case `l` is
//!   a load of `t`. SC, TSO and PSO keep loads in order, and `w` loads; under RMO `l` depends on `w`
//!   (rule d3); so it is the first case again. Under Relaxed `l` may come before `w`, and reads
//!   `w` by forwarding. Then it can come right after `w` instead: what must come after `l`, because of a fence or
//!   because it stores to the location, must come after `w` as well, which loads and stores there. Only if `l` is a
//!   part of an atomic section it cannot be moved alone; that is what 2a excludes. If `l` is part of a read-modify-write, the same holds for
//!   what it writes: nothing comes between `s` and it.
//!
//! By induction on the number of iterations there is an execution without silent ones for
//! each. An execution *prefix* may end with a silent iteration; its thread waits then
//! (`encode/stops.rs`).
//!
//! What an iteration is followed by (is the memory of 2 read later?) is known when the whole thread has been
//! followed ([`Unroller::drop_silent_iterations`]), as far as loops do not go beyond their bounds. Beyond them
//! memory of kind (b) is not read if it is dead at the end of the iteration, which `dead.rs` shows without
//! bounds. Else it counts as read there, so that the bound grows. Which accesses may be to that memory,
//! through pointers that are loaded, is known when ranges are ([`Encoder::unobserved`](crate::encode)).
//! Other threads can read an object that `t` made only after `t` gave its address away; one that another
//! thread made they may have from that one, so no other thread may access it at all.

use super::flow::Flow;
use super::frame::Frame;
use super::values::Value;
use super::{Dependences, Event, Object, Silent, Unroller, When};
use crate::guard::Guard;
use crate::term::{EventId, Term, TermId, Terms};
use program::{AccessKind, Address, RegisterId, RegisterSet, Word};

/// How things stood when an iteration began.
pub struct Iteration {
    pub guard: Guard,
    registers: Vec<Value>,
    events: usize,
    noise: u32,
}

/// Memory that an iteration writes to though nobody may read that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The address.
    pub address: Word,
    /// The size.
    pub bytes: u32,
    /// It is memory that other threads must not access: kind (b), not (a).
    pub private: bool,
    /// The thread gives its address away somewhere; whether others can read what the iteration
    /// wrote is in the guard then.
    pub published: bool,
    /// The thread does not read it, nor give its address away, before it overwrites it (`dead.rs`).
    pub dead: bool,
}

/// When an iteration is silent, but for what follows it.
pub struct Silence {
    pub guard: Guard,
    pub compared: Vec<(TermId, TermId)>,
    pub written: Vec<Written>,
}

impl Silence {
    fn never() -> Self {
        Silence {
            guard: Guard::FALSE,
            compared: Vec::new(),
            written: Vec::new(),
        }
    }

    /// True if it is silent whenever control is there, whatever comes later.
    pub fn is_certain(&self, there: Guard) -> bool {
        self.guard == there && self.compared.is_empty() && self.written.is_empty()
    }
}

impl<'a> Unroller<'a> {
    pub(super) fn begin_iteration(&self, flow: &Flow) -> Iteration {
        Iteration {
            guard: flow.guard,
            registers: flow.registers.clone(),
            events: self.unrolled.events.len(),
            noise: self.noise,
        }
    }

    /// When an iteration that ends here, before another one, has been silent.
    pub(super) fn silent(
        &mut self,
        thread: usize,
        begun: &Iteration,
        flow: &Flow,
        live: &RegisterSet,
    ) -> Silence {
        if self.noise != begun.noise {
            return Silence::never();
        }
        let mut silence = Silence {
            guard: flow.guard,
            ..Silence::never()
        };
        self.written_silently(thread, begun, &mut silence);
        for (index, before) in begun.registers.iter().enumerate() {
            if silence.guard == Guard::FALSE {
                return Silence::never();
            }
            let now = &flow.registers[index];
            if !live.contains(RegisterId::from(index)) {
                continue;
            }
            if self.orders_by_dependences() {
                let more = self.other_loads(before, now, silence.guard);
                silence.guard = self.unrolled.terms.guards.minus(silence.guard, more);
            }
            if now.term == before.term {
                continue;
            }
            let terms = &mut self.unrolled.terms;
            if [now, before]
                .iter()
                .any(|value| terms.get(value.term).0 == Term::Undefined)
            {
                return Silence::never();
            }
            let same = terms.equal(before.term, now.term);
            silence.compared.push((before.term, now.term));
            let same = terms.holds(same);
            silence.guard = terms.guards.and(silence.guard, same);
        }
        silence
    }

    /// Takes from the guard when the iteration writes what others could notice.
    fn written_silently(&mut self, thread: usize, begun: &Iteration, silence: &mut Silence) {
        let row = self.model.row();
        let overtakes = self.has_sections
            && !row.dependences
            && !row.keeps.orders(AccessKind::LOAD, AccessKind::LOAD);
        let terms = &mut self.unrolled.terms;
        for (index, event) in self.unrolled.events.iter().enumerate().skip(begun.events) {
            let Some(stored) = event.stored.filter(|_| event.thread == thread) else {
                continue;
            };
            let written = |address, private| Written {
                address,
                bytes: event.width.bytes(),
                private,
                published: false,
                dead: false,
            };
            let mut noticed = stored.guard;
            if !event.loads
                && let Some(address) = made_address(terms, &self.unrolled.objects, event)
            {
                let written = written(address, true);
                if terms.guards.and(silence.guard, noticed) != Guard::FALSE
                    && !silence.written.contains(&written)
                {
                    silence.written.push(written);
                }
                continue;
            }
            let known = terms.known(event.address);
            if event.loads && (!overtakes || known.is_some()) {
                // A read-modify-write that writes what it read.
                let loaded = terms.term(Term::Loaded(EventId(index as u32)), event.width);
                let same = terms.equal(loaded, stored.value);
                let holds = terms.holds(same);
                let unnoticed = terms.guards.and(noticed, holds);
                noticed = terms.guards.minus(noticed, holds);
                if terms.guards.and(silence.guard, unnoticed) != Guard::FALSE {
                    silence.compared.push((loaded, stored.value));
                    if let Some(address) = known.filter(|_| overtakes) {
                        silence.written.push(written(address, false));
                    }
                }
            }
            silence.guard = terms.guards.minus(silence.guard, noticed);
            if silence.guard == Guard::FALSE {
                return;
            }
        }
    }

    /// Whether dependences are what orders accesses.
    fn orders_by_dependences(&self) -> bool {
        let row = self.model.row();
        row.dependences && !row.keeps.orders(AccessKind::LOAD, AccessKind::LOAD)
    }

    /// When a value came from a load that it does not come from now.
    fn other_loads(&mut self, before: &Value, now: &Value, guard: Guard) -> Guard {
        let none = Dependences::new();
        let guards = &mut self.unrolled.terms.guards;
        let now = now.depends.as_deref().unwrap_or(&none);
        let mut other = Guard::FALSE;
        for &(event, when) in before.depends.as_deref().unwrap_or(&none) {
            let found = now.binary_search_by_key(&event, |&(event, _)| event);
            let still = found.map_or(Guard::FALSE, |found| now[found].1);
            let gone = guards.minus(when, still);
            let gone = guards.and(gone, guard);
            other = guards.or(other, gone);
        }
        other
    }

    /// Finds what was written and is dead.
    pub(super) fn find_dead(&mut self, frame: &Frame<'a>, flow: &Flow, silence: &mut Silence) {
        if silence.guard == Guard::FALSE {
            return;
        }
        for written in silence.written.iter_mut().filter(|written| written.private) {
            written.dead = self.is_dead(frame, flow, *written, silence.guard);
        }
    }

    /// Notes that an iteration is silent.
    pub(super) fn note_silent(&mut self, silence: Silence, there: Guard, thread: usize) {
        if silence.guard == Guard::FALSE {
            return;
        }
        self.unrolled.waits = true;
        self.stays += 1;
        self.position += 1;
        let position = self.position;
        self.unrolled.silent.push(Silent {
            there,
            guard: silence.guard,
            when: When { thread, position },
            compared: silence.compared,
            written: silence.written,
            next: self.unrolled.events.len(),
        });
    }

    /// Takes from the guards of a thread's silent iterations, when all of it has been followed, when
    /// what they wrote is read later.
    pub(super) fn drop_silent_iterations(&mut self, thread: usize) {
        for index in 0..self.unrolled.silent.len() {
            let silent = &self.unrolled.silent[index];
            if silent.when.thread != thread || silent.written.is_empty() {
                continue;
            }
            let (mut guard, next, position) = (silent.guard, silent.next, silent.when.position);
            for (number, written) in silent.written.clone().into_iter().enumerate() {
                let read = if written.private {
                    let (read, published) = self.read_later(thread, written, next, guard, position);
                    self.unrolled.silent[index].written[number].published = published;
                    read
                } else {
                    self.forwarded_later(thread, written, next, guard, position)
                };
                guard = self.unrolled.terms.guards.minus(guard, read);
            }
            self.unrolled.silent[index].guard = guard;
        }
    }

    /// When the thread, or any other, reads what a private location holds before event `from`; and
    /// whether its address is ever given away.
    fn read_later(
        &mut self,
        thread: usize,
        written: Written,
        from: usize,
        guard: Guard,
        position: u32,
    ) -> (Guard, bool) {
        let object = written.address >> Address::OFFSET_BITS;
        let mut kept = guard;
        let mut read = Guard::FALSE;
        let mut published = false;
        // Before the iteration as well: once its address is out, others may read it.
        for index in 0..self.unrolled.events.len() {
            let event = &self.unrolled.events[index];
            if event.thread != thread {
                continue;
            }
            let (guard, loads, stored, at) =
                (event.guard, event.loads, event.stored, event.address);
            let size = event.width.bytes();
            let mentions = |this: &mut Self, term| this.mentions(term).contains(&object);
            if let Some(stored) = stored
                && mentions(self, stored.value)
            {
                published = true;
                let out = self.unrolled.terms.guards.and(kept, stored.guard);
                read = self.unrolled.terms.guards.or(read, out);
            }
            if index < from || !mentions(self, at) {
                continue;
            }
            let known = self.unrolled.terms.known(at);
            let guards = &mut self.unrolled.terms.guards;
            if known.is_some_and(|at| !overlaps(at, size, written)) {
                continue;
            }
            if loads {
                let here = guards.and(kept, guard);
                read = guards.or(read, here);
            } else if let Some(stored) = stored
                && known.is_some_and(|at| covers(at, size, written))
            {
                kept = guards.minus(kept, stored.guard);
            }
        }
        // Arguments of threads that it starts, and what it returns to threads that join it.
        let handed_over = self.handed_over.iter().filter(|(by, ..)| *by == thread);
        let mut out: Vec<(TermId, Guard)> =
            handed_over.map(|&(_, term, when)| (term, when)).collect();
        out.extend(
            self.unrolled.threads[thread]
                .result
                .map(|term| (term, Guard::TRUE)),
        );
        for (term, when) in out {
            if self.mentions(term).contains(&object) {
                published = true;
                let out = self.unrolled.terms.guards.and(kept, when);
                read = self.unrolled.terms.guards.or(read, out);
            }
        }
        // An object of another thread was given away before.
        published &= self.is_own(thread, object);
        if written.dead {
            return (Guard::FALSE, published);
        }
        let beyond = self.goes_beyond(thread, position, kept);
        (self.unrolled.terms.guards.or(read, beyond), published)
    }

    /// Whether a thread makes an object itself.
    pub(super) fn is_own(&self, thread: usize, object: Word) -> bool {
        let made = self.object(object);
        made.is_some_and(|made| made.made_by == Some(thread))
    }

    /// The object that addresses with these upper bits are in.
    pub(super) fn object(&self, upper: Word) -> Option<&Object> {
        let number = upper.checked_sub(Address::BASE >> Address::OFFSET_BITS)?;
        self.unrolled.objects.get(number as usize)
    }

    /// When a loop of the thread goes beyond its bound after a position: what it reads then is
    /// not known.
    fn goes_beyond(&mut self, thread: usize, position: u32, kept: Guard) -> Guard {
        let guards = &mut self.unrolled.terms.guards;
        let mut beyond = Guard::FALSE;
        for excess in &self.unrolled.excesses {
            if excess.when.thread == thread && excess.when.position > position {
                let here = guards.and(kept, excess.guard);
                beyond = guards.or(beyond, here);
            }
        }
        beyond
    }

    /// When the thread loads a location, by an access that does not write there in the same step,
    /// before it writes there after event `from`.
    fn forwarded_later(
        &mut self,
        thread: usize,
        written: Written,
        from: usize,
        guard: Guard,
        position: u32,
    ) -> Guard {
        let mut kept = guard;
        let mut read = Guard::FALSE;
        for event in &self.unrolled.events[from..] {
            // Where the address is not known, ranges decide.
            let Some(at) = self.unrolled.terms.known(event.address) else {
                continue;
            };
            let bytes = event.width.bytes();
            if event.thread != thread || !overlaps(at, bytes, written) {
                continue;
            }
            let guards = &mut self.unrolled.terms.guards;
            let stores = event.stored.map_or(Guard::FALSE, |stored| stored.guard);
            if event.loads {
                let loads = guards.minus(event.guard, stores);
                let here = guards.and(kept, loads);
                read = guards.or(read, here);
            }
            if covers(at, bytes, written) {
                kept = guards.minus(kept, stores);
            } else if event.loads {
                let here = guards.and(kept, stores);
                read = guards.or(read, here);
            }
        }
        let beyond = self.goes_beyond(thread, position, kept);
        self.unrolled.terms.guards.or(read, beyond)
    }
}

/// The address of an event, if it is in an object that the program makes on its way.
fn made_address(terms: &Terms, objects: &[Object], event: &Event) -> Option<Word> {
    let word = terms.known(event.address)?;
    let object = objects.get(Address::from_word(word)?.object.index())?;
    object.of_program.is_none().then_some(word)
}

/// Whether an access touches all of some memory.
pub(super) fn covers(at: Word, bytes: u32, written: Written) -> bool {
    let end = written.address + Word::from(written.bytes);
    at <= written.address && end <= at + Word::from(bytes)
}

/// Whether an access touches some of some memory.
pub fn overlaps(at: Word, bytes: u32, written: Written) -> bool {
    let end = written.address + Word::from(written.bytes);
    at < end && written.address < at + Word::from(bytes)
}
