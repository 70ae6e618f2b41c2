//! Following the code of an attempt, with nothing known of what it reads.
//!
//! From a *read* (a load, or a compare-and-exchange that fails) all ways are followed to the exchanges that they come to, through registers
//! and memory of the thread's own. From each exchange the way is followed on which it fails. It *joins* if it comes to where the thread was
//! before, on its way from the read: the same operation of the same calls, where everything that matters holds the same, but for what was read last
//! in the place of what the read returned. Then the thread goes on as if the read had come only then.
//! If the read is an exchange that fails, it could not have come then if it had found what it expects: the way also has to come to where
//! the thread was before it, with that in the place of what it expected.
//!
//! The way of the failure must have no branch that depends on what is not known, use no memory but what the way to the
//! exchange used, and have no operation that could be noticed. Behind a branch that depends on what is not known a way from the read is one that
//! the thread need not take with another value: nothing joins there.
//!
//! Where a way comes to an operation that is not followed, the thread may still come to an exchange from there. All exchanges that any way from there
//! might come to before the next read are left out.

use super::terms::{Place, Term, TermId, Terms, computation};
use crate::process::image::{Image, Op, Pc, Range, Slot};
use crate::process::thread::Frame;
use program::{FunctionId, RegisterId, Word};
use std::collections::HashSet;

/// Operations after which the ways are too long.
const MOST_OPERATIONS: usize = 512;
/// Calls nested in a way.
const MOST_CALLS: usize = 8;
/// Positions in the code after which what is not followed goes too far.
const MOST_POSITIONS: usize = 4096;

/// What a read leads to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::process) struct Attempt {
    /// Exchanges that it may come to whose failure is as if the read had come later.
    pub exchanges: Vec<Pc>,
    /// Those of them that expect what was read, where that is so even if memory that the way uses may change in between.
    pub loose: Vec<Pc>,
    /// It comes to one of those whatever it reads, and it expects that.
    pub certain: bool,
    /// There is a fence on the way.
    pub fenced: bool,
    /// An iteration of a loop ends on the way. If it turns out to be silent, the thread waits instead of going on.
    pub repeats: bool,
    /// The memory that is used on the way; none if its addresses depend on more than registers.
    pub memory: Option<Vec<Stretch>>,
}

/// A stretch of memory: the register that it is relative to, of the call of this depth, if it is relative to any; offset and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::process) struct Stretch {
    pub base: Option<(usize, u32)>,
    pub offset: Word,
    pub size: u8,
}

/// A call.
#[derive(Clone)]
struct Level {
    function: FunctionId,
    pc: Pc,
    registers: Vec<TermId>,
    targets: Range,
}

/// Where a way has come to.
#[derive(Clone)]
struct State {
    levels: Vec<Level>,
    memory: Vec<(Place, TermId)>,
    used: Vec<Place>,
    /// A branch depended on what is not known.
    decided: bool,
    /// Memory was loaded that the thread had not stored.
    loaded: bool,
}

/// Where a thread stands in each of its calls, the innermost last.
type Position = Vec<Pc>;

/// Where the way of a failure joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    /// Where the thread had loaded nothing but what it had stored.
    BeforeLoads,
    /// Where what it had loaded may matter.
    BehindLoads,
}

/// What an operation does to a way.
enum Next {
    Goes,
    Splits(Box<State>),
    Ends,
}

struct Follower<'i> {
    image: &'i Image,
    terms: Terms,
    reads: u32,
    /// What the read returned.
    read: TermId,
    fenced: bool,
    repeats: bool,
    /// The frames are all that the thread has.
    complete: bool,
}

/// What the read at the innermost frame's operation leads to, if to any exchange. The frames are the innermost ones of a thread;
/// `complete` if it has no others.
pub(super) fn follow(image: &Image, frames: &[Frame], complete: bool) -> Option<Attempt> {
    let mut follower = Follower {
        image,
        terms: Terms::default(),
        reads: 0,
        read: 0,
        fenced: false,
        repeats: false,
        complete,
    };
    follower.attempt(frames)
}

impl Follower<'_> {
    fn attempt(&mut self, frames: &[Frame]) -> Option<Attempt> {
        let start = self.start(frames);
        let read = start.here().pc;
        let (target, address, size) = self.read_at(read)?;
        let address = self.slot(&start, address);
        self.read = self.new_read(size);
        let mut first = start.clone();
        first.set(target, self.read);
        if let Op::Exchange(number) = self.image.ops[read as usize] {
            self.set_succeeded(&mut first, number);
        }
        first.level_mut().pc += 1;

        let mut visited = vec![start];
        // Where it comes to exchanges, and whether they expect what was read.
        let mut found: Vec<(State, bool)> = Vec::new();
        let mut left: Vec<Position> = Vec::new();
        let mut certain = true;
        let mut ways = vec![first];
        let mut operations = 0;
        while let Some(mut state) = ways.pop() {
            loop {
                operations += 1;
                if operations > MOST_OPERATIONS {
                    return None;
                }
                let pc = state.here().pc;
                if self.image.live(pc).is_some() && !state.decided {
                    visited.push(state.clone());
                }
                if let Op::Exchange(number) = self.image.ops[pc as usize] {
                    let exchange = self.image.exchanges[number as usize];
                    let same = exchange.access.size == size
                        && self.slot(&state, exchange.address) == address;
                    let expects = self.slot(&state, exchange.expected) == self.read;
                    certain &= same && expects;
                    match same {
                        true => found.push((state, expects)),
                        false => left.push(state.position(1)),
                    }
                    break;
                }
                if pc == read {
                    // Another attempt.
                    certain = false;
                    break;
                }
                match self.step(&mut state, None) {
                    Next::Goes => {}
                    Next::Splits(other) => ways.push(*other),
                    Next::Ends => {
                        certain = false;
                        left.push(state.position(0));
                        break;
                    }
                }
            }
        }
        let reachable = self.exchanges_from(left, read)?;
        let used = found.iter().flat_map(|(state, _)| &state.used);
        let memory = used.map(|place| self.stretch(*place)).collect();
        let joins: Vec<(Pc, Option<Join>, bool)> = found
            .iter()
            .map(|(state, expects)| {
                let join = self.failure_joins(state, &visited, address);
                (state.here().pc, join, *expects)
            })
            .collect();
        let all = |suits: fn(Option<Join>, bool) -> bool| {
            let joined = |pc: &Pc| {
                let mut ways = joins.iter().filter(|(at, ..)| at == pc);
                !reachable.contains(pc) && ways.all(|(_, join, expects)| suits(*join, *expects))
            };
            let mut exchanges: Vec<Pc> = joins.iter().map(|(pc, ..)| *pc).filter(joined).collect();
            exchanges.sort_unstable();
            exchanges.dedup();
            exchanges
        };
        let exchanges = all(|join, _| join.is_some());
        (!exchanges.is_empty()).then_some(Attempt {
            exchanges,
            // What expects something else might fail for ever, and has to be seen to do so.
            loose: all(|join, expects| expects && join == Some(Join::BeforeLoads)),
            certain: certain && joins.iter().all(|(_, join, _)| join.is_some()),
            fenced: self.fenced,
            repeats: self.repeats,
            memory,
        })
    }

    /// A stretch of memory as the machine can find it, if its address depends on a register at most.
    fn stretch(&self, place: Place) -> Option<Stretch> {
        let base = match place.base.map(|base| self.terms.get(base)) {
            None => None,
            Some(Term::Register(depth, register)) if *depth < MOST_CALLS => {
                Some((*depth, *register))
            }
            Some(_) => return None,
        };
        Some(Stretch {
            base,
            offset: place.offset,
            size: place.size,
        })
    }

    /// The exchanges that a thread at one of these positions might come to before it does the read; none if that cannot be told.
    fn exchanges_from(&self, mut open: Vec<Position>, read: Pc) -> Option<HashSet<Pc>> {
        let mut exchanges = HashSet::new();
        let mut seen: HashSet<Position> = open.iter().cloned().collect();
        while let Some(position) = open.pop() {
            if seen.len() > MOST_POSITIONS {
                return None;
            }
            let Some(pc) = position.last().copied() else {
                continue;
            };
            let mut go = |to: Position| {
                if seen.insert(to.clone()) {
                    open.push(to);
                }
            };
            let at = |to: Pc| {
                let mut next = position.clone();
                next.pop();
                next.push(to);
                next
            };
            let op = self.image.ops[pc as usize];
            if matches!(op, Op::Exchange(_)) {
                exchanges.insert(pc);
            }
            if pc == read {
                continue;
            }
            match op {
                Op::Jump(to) => go(at(to)),
                Op::Branch(_, then, otherwise) => {
                    go(at(then));
                    go(at(otherwise));
                }
                Op::Switch(_, table) => {
                    let (cases, otherwise) = &self.image.switches[table as usize];
                    cases.iter().for_each(|(_, to)| go(at(*to)));
                    go(at(*otherwise));
                }
                Op::Call(function, ..) => {
                    let mut next = at(pc + 1);
                    next.push(self.image.functions[function.index()].start);
                    go(next);
                }
                Op::CallPointer(..) => return None,
                Op::Return(_) => {
                    let mut next = position.clone();
                    next.pop();
                    match next.is_empty() {
                        false => go(next),
                        true if self.complete => {}
                        true => return None,
                    }
                }
                Op::Unreachable => {}
                _ => go(at(pc + 1)),
            }
        }
        Some(exchanges)
    }

    /// A thread in these frames, of which nothing is known.
    fn start(&mut self, frames: &[Frame]) -> State {
        let mut levels = Vec::new();
        for (depth, frame) in frames.iter().enumerate() {
            let count = self.image.functions[frame.function.index()].registers;
            let registers =
                (0..count).map(|register| self.terms.intern(Term::Register(depth, register)));
            levels.push(Level {
                function: frame.function,
                pc: frame.pc,
                registers: registers.collect(),
                targets: frame.targets,
            });
        }
        State {
            levels,
            memory: Vec::new(),
            used: Vec::new(),
            decided: false,
            loaded: false,
        }
    }

    /// The register that the read at `pc` sets, its address, and the number of its bytes.
    fn read_at(&self, pc: Pc) -> Option<(u32, Slot, u8)> {
        match self.image.ops[pc as usize] {
            Op::Load(target, address, access) => Some((target, address, access.size)),
            Op::Exchange(number) => {
                let exchange = &self.image.exchanges[number as usize];
                Some((exchange.target, exchange.address, exchange.access.size))
            }
            _ => None,
        }
    }

    fn new_read(&mut self, size: u8) -> TermId {
        self.reads += 1;
        self.terms
            .intern(Term::Read(self.reads, 8 * u32::from(size)))
    }

    fn slot(&mut self, state: &State, slot: Slot) -> TermId {
        self.terms.slot(self.image, &state.here().registers, slot)
    }

    /// The exchange of this number fails.
    fn set_succeeded(&mut self, state: &mut State, number: u32) {
        if let Some(succeeded) = self.image.exchanges[number as usize].succeeded {
            let no = self.terms.intern(Term::Constant(0));
            state.set(succeeded, no);
        }
    }

    /// Whether, and where, the way on which the exchange before which a thread stands fails comes to where the thread was before.
    fn failure_joins(&mut self, state: &State, visited: &[State], address: TermId) -> Option<Join> {
        let mut state = state.clone();
        let used = state.used.clone();
        let pc = state.here().pc;
        let (target, _, size) = self.read_at(pc)?;
        let first = &visited[0];
        let start = first.here().pc;
        // An exchange does not fail where it finds what it expects. Then the thread has to be where it was before that exchange.
        let expected = match self.image.ops[start as usize] {
            Op::Exchange(number) => {
                Some(self.slot(first, self.image.exchanges[number as usize].expected))
            }
            _ => None,
        };
        let mut join = None;
        let mut stands_before = expected.is_none();
        let mut last = self.new_read(size);
        state.set(target, last);
        if let Op::Exchange(number) = self.image.ops[pc as usize] {
            self.set_succeeded(&mut state, number);
        }
        state.level_mut().pc += 1;
        for _ in 0..MOST_OPERATIONS {
            let pc = state.here().pc;
            if join.is_none() {
                let mut same = visited.iter();
                join = same
                    .find(|earlier| self.is_same(earlier, &state, self.read, last))
                    .map(|same| match same.loaded {
                        true => Join::BehindLoads,
                        false => Join::BeforeLoads,
                    });
            }
            stands_before |=
                expected.is_some_and(|expected| self.is_same(first, &state, expected, last));
            if stands_before && join.is_some() {
                return join;
            }
            match self.image.ops[pc as usize] {
                // The read comes once more.
                Op::Load(target, from, access)
                    if pc == start && access.size == size && self.slot(&state, from) == address =>
                {
                    last = self.new_read(size);
                    state.set(target, last);
                    state.level_mut().pc += 1;
                }
                Op::Reach(_) | Op::Exchange(_) => return None,
                _ => match self.step(&mut state, Some(&used)) {
                    Next::Goes => {}
                    Next::Splits(_) | Next::Ends => return None,
                },
            }
        }
        None
    }

    /// True if a thread that was there, with `last` in the place of another term, is here.
    fn is_same(&mut self, earlier: &State, state: &State, from: TermId, last: TermId) -> bool {
        if earlier.levels.len() != state.levels.len() || earlier.here().pc != state.here().pc {
            return false;
        }
        let depths = earlier.levels.len();
        for (depth, (one, other)) in earlier.levels.iter().zip(&state.levels).enumerate() {
            if (one.function, one.pc, one.targets) != (other.function, other.pc, other.targets) {
                return false;
            }
            // What matters behind a call matters before it, but for what it returns.
            let live = match depth + 1 == depths {
                true => self.image.live(one.pc),
                false => one.pc.checked_sub(1).and_then(|call| self.image.live(call)),
            };
            for (register, (one, other)) in one.registers.iter().zip(&other.registers).enumerate() {
                if live.is_none_or(|live| live.contains(RegisterId::from(register)))
                    && self.terms.replace(*one, from, last) != *other
                {
                    return false;
                }
            }
        }
        let mut memory = Vec::new();
        for (place, value) in &earlier.memory {
            let place = self.terms.replace_in(*place, from, last);
            memory.push((place, self.terms.replace(*value, from, last)));
        }
        memory.len() == state.memory.len() && memory.iter().all(|one| state.memory.contains(one))
    }

    /// Does an operation that nobody notices. If `only` is given, memory must be among that.
    fn step(&mut self, state: &mut State, only: Option<&[Place]>) -> Next {
        let pc = state.here().pc;
        let op = self.image.ops[pc as usize];
        if let Some((computation, target, from)) = computation(&op) {
            let from = from.iter().map(|slot| self.slot(state, *slot)).collect();
            let value = self.terms.compute(computation, from);
            state.set(target, value);
            state.level_mut().pc += 1;
            return Next::Goes;
        }
        match op {
            Op::Jump(to) => state.level_mut().pc = to,
            Op::Branch(condition, then, otherwise) => {
                let condition = self.slot(state, condition);
                match self.terms.constant(condition) {
                    Some(word) => {
                        state.level_mut().pc = if word != 0 { then } else { otherwise };
                    }
                    None => {
                        state.decided = true;
                        let mut other = state.clone();
                        state.level_mut().pc = then;
                        other.level_mut().pc = otherwise;
                        return Next::Splits(Box::new(other));
                    }
                }
            }
            Op::Reach(_) | Op::EnterLoop(_) => state.level_mut().pc += 1,
            Op::RepeatLoop(_) => {
                self.repeats |= only.is_none();
                state.level_mut().pc += 1;
            }
            Op::Own(target, rank, offset) => {
                let own = self.terms.intern(Term::Own(rank, offset));
                state.set(target, own);
                state.level_mut().pc += 1;
            }
            Op::Fence(orderings, _) => {
                // To do without a fence takes nothing away.
                self.fenced |= only.is_none() && !self.image.model.effective(orderings).is_empty();
                state.level_mut().pc += 1;
            }
            Op::Load(target, address, access) => {
                let address = self.slot(state, address);
                let place = self.terms.place(address, access.size);
                let Some(value) = self.load(state, place, only) else {
                    return Next::Ends;
                };
                state.set(target, value);
                state.level_mut().pc += 1;
            }
            Op::Store(address, value, access) => {
                let (address, value) = (self.slot(state, address), self.slot(state, value));
                let place = self.terms.place(address, access.size);
                if !is_usable(state, place, only) {
                    return Next::Ends;
                }
                state.use_place(place);
                state.memory.retain(|(known, _)| *known != place);
                state.memory.push((place, value));
                state.level_mut().pc += 1;
            }
            Op::Call(function, arguments, targets) if state.levels.len() < MOST_CALLS => {
                let entry = &self.image.functions[function.index()];
                let slots = &self.image.slots[arguments.indices()];
                let mut registers: Vec<TermId> = Vec::with_capacity(entry.registers as usize);
                for slot in slots {
                    registers.push(self.slot(state, *slot));
                }
                for register in registers.len() as u32..entry.registers {
                    // Undefined, but the same in each call.
                    let depth = usize::MAX - function.index();
                    registers.push(self.terms.intern(Term::Register(depth, register)));
                }
                let pc = entry.start;
                state.level_mut().pc += 1;
                state.levels.push(Level {
                    function,
                    pc,
                    registers,
                    targets,
                });
            }
            Op::Return(values) if state.levels.len() > 1 => {
                let slots = &self.image.slots[values.indices()];
                let values: Vec<TermId> =
                    slots.iter().map(|slot| self.slot(state, *slot)).collect();
                let Some(left) = state.levels.pop() else {
                    return Next::Ends;
                };
                for (target, value) in self.image.targets[left.targets.indices()]
                    .iter()
                    .zip(values)
                {
                    state.set(*target, value);
                }
            }
            _ => return Next::Ends,
        }
        Next::Goes
    }

    /// What a load of the thread's own memory returns.
    fn load(&mut self, state: &mut State, place: Place, only: Option<&[Place]>) -> Option<TermId> {
        if !is_usable(state, place, only) {
            return None;
        }
        state.use_place(place);
        let mut known = state.memory.iter();
        if let Some((_, value)) = known.find(|(known, _)| *known == place) {
            return Some(*value);
        }
        if only.is_some() {
            return None;
        }
        state.loaded = true;
        Some(self.terms.intern(Term::Memory(place)))
    }
}

/// True if a stretch of memory is one that was written, or has nothing in common with those, and is one of `only`, if given.
fn is_usable(state: &State, place: Place, only: Option<&[Place]>) -> bool {
    let mut written = state.memory.iter().map(|(written, _)| *written);
    written.all(|written| written == place || written.is_apart_from(place))
        && only.is_none_or(|only| only.contains(&place))
}

impl State {
    fn here(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    fn level_mut(&mut self) -> &mut Level {
        let innermost = self.levels.len() - 1;
        &mut self.levels[innermost]
    }

    /// Where a thread stands that has done so many operations more.
    fn position(&self, more: u32) -> Position {
        let mut position: Position = self.levels.iter().map(|level| level.pc).collect();
        if let Some(pc) = position.last_mut() {
            *pc += more;
        }
        position
    }

    fn set(&mut self, register: u32, value: TermId) {
        self.level_mut().registers[register as usize] = value;
    }

    fn use_place(&mut self, place: Place) {
        if !self.used.contains(&place) {
            self.used.push(place);
        }
    }
}
