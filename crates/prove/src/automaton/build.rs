//! Automata of the threads of a program without calls.
//!
//! Each thread is run alone; a load returns every value that its location can ever hold. What it stores may be new to the
//! location, and then every load of the location, in whichever thread, returns that as well, until nothing new comes. So
//! each automaton has at least the behaviour that the thread has in the program, and each transition says which value it needs to
//! find in memory: what the threads do together is exact.
//!
//! A thread alone cannot know that a location is incremented once only; then `guided` finds out which values it can read.
//!
//! What a thread does between two accesses is followed at once, choices in all their ways. A state is where that ends: before
//! an access or a fence, at the thread's end, where something went wrong, or where an assumption failed behind a write, which counts. Registers that nothing reads any more do not count.
//!
//! What a fence or a memory order means under the model is in the tables of `memory`: an access comes with the fences around it
//! (`machine`'s code has them as operations), of which the model needs some ([`memory::Model::effective`]).
//!
//! Not guaranteed: that the automata are finite, so there are limits on values and states, and [`NotFinite`] says what grows.

use super::{
    Allowed, Automaton, Event, Location, LocationValues, NotFinite, Standing, State, StateId,
    System, Transition, Value,
};
use machine::{Cell, Code, Executable, Failure, Op};
use memory::Model;
use program::{AccessKind, Operand, Orderings, Program, Span, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// Values of a location: those of a byte fit.
pub(super) const MOST_VALUES: usize = 300;
/// States of a thread, and points that it passes between two of them.
pub(super) const MOST_STATES: usize = 60_000;

type Registers = Box<[Word]>;

/// Where a thread comes to rest.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Rest {
    Before(u32, Registers),
    Failed(Failure),
    /// Behind an assumption that failed or in a loop without accesses, for good.
    Stuck,
    /// Before it writes a value that its location is taken not to hold ([`super::Allowed`]).
    Escaped(Cell, Word),
}

/// A thread while its automaton is made.
struct Thread {
    rests: Vec<Rest>,
    numbers: FxHashMap<Rest, StateId>,
    states: Vec<State>,
    /// The states before a load or an update of each location.
    readers: FxHashMap<Cell, Vec<StateId>>,
}

pub(super) struct Builder<'p> {
    program: &'p Program,
    pub model: Model,
    pub executable: Executable,
    threads: Vec<Thread>,
    words: Vec<Vec<Word>>,
    /// States whose access is to be followed with the values of its location from this one on.
    work: Vec<(usize, StateId, usize)>,
    /// Loads return only values that are asked for ([`Builder::demand`]).
    guided: bool,
    /// Of one location.
    most_values: usize,
    /// All that some locations may hold.
    allowed: &'p Allowed,
    demanded: FxHashSet<(usize, StateId, Value)>,
}

/// The automata of a program, from threads that are run alone.
pub(super) fn build(
    program: &Program,
    model: Model,
    most_values: usize,
    allowed: &Allowed,
) -> Result<System, NotFinite> {
    Ok(Builder::new(program, model, false, most_values, allowed)?.finish())
}

impl<'p> Builder<'p> {
    /// Runs each thread from its start.
    pub fn new(
        program: &'p Program,
        model: Model,
        guided: bool,
        most_values: usize,
        allowed: &'p Allowed,
    ) -> Result<Self, NotFinite> {
        let executable = Executable::new(program)?;
        let count = executable.threads.len();
        let mut builder = Builder {
            program,
            model,
            words: Vec::new(),
            executable,
            threads: Vec::new(),
            work: Vec::new(),
            guided,
            most_values,
            allowed,
            demanded: FxHashSet::default(),
        };
        let cells = &builder.executable.cells;
        let words = cells.initial.iter().zip(&cells.addresses);
        let words = words.map(|(initial, address)| {
            let more = allowed.get(address).into_iter().flatten();
            [initial].into_iter().chain(more).copied().collect()
        });
        builder.words = words.collect();
        for thread in 0..count {
            builder.start(thread)?;
        }
        builder.follow_all()?;
        Ok(builder)
    }

    fn follow_all(&mut self) -> Result<(), NotFinite> {
        while let Some((thread, state, from)) = self.work.pop() {
            self.follow(thread, state, from)?;
        }
        Ok(())
    }

    /// The transitions of a thread in a state, as far as they have been asked for.
    pub fn transitions(&self, thread: usize, state: StateId) -> &[Transition] {
        &self.threads[thread].states[state.index()].transitions
    }

    /// The operation that a thread is before in a state, if it has not come to its end.
    pub fn pc(&self, thread: usize, state: StateId) -> Option<u32> {
        match &self.threads[thread].rests[state.index()] {
            Rest::Before(pc, _) => Some(*pc),
            Rest::Failed(_) | Rest::Stuck | Rest::Escaped(..) => None,
        }
    }

    /// The location that a thread reads next in a state, if it does.
    pub fn reads(&self, thread: usize, state: StateId) -> Option<Location> {
        let Rest::Before(pc, registers) = &self.threads[thread].rests[state.index()] else {
            return None;
        };
        if state == Automaton::START {
            return None;
        }
        let code = self.code(thread);
        let Op::Access(access) = code.ops[*pc as usize] else {
            return None;
        };
        let address = operands(code, *pc, registers)[0];
        let cell = self.executable.cells.resolve(address, access.width)?;
        access.kind().load.then_some(Location(cell.0 as u16))
    }

    /// Adds the transitions of a load or update that finds this value.
    pub fn demand(&mut self, thread: usize, state: StateId, value: Value) -> Result<(), NotFinite> {
        if self.demanded.insert((thread, state, value)) {
            self.follow_reads(thread, state, value.index()..value.index() + 1)?;
            self.follow_all()?;
        }
        Ok(())
    }

    fn code(&self, thread: usize) -> &Code {
        &self.executable.threads[thread]
    }

    /// The first state, from which the thread goes without an event to where it first rests.
    fn start(&mut self, thread: usize) -> Result<(), NotFinite> {
        let initial: Registers = self.code(thread).initial.clone().into();
        self.threads.push(Thread {
            rests: vec![Rest::Before(0, initial.clone())],
            numbers: FxHashMap::default(),
            states: vec![State::default()],
            readers: FxHashMap::default(),
        });
        self.go_on(
            thread,
            Automaton::START,
            Event::Skip,
            Span::NOWHERE,
            0,
            initial,
        )
    }

    /// Adds the transitions of an event behind which the thread is before `pc`.
    fn go_on(
        &mut self,
        thread: usize,
        source: StateId,
        event: Event,
        span: Span,
        pc: u32,
        registers: Registers,
    ) -> Result<(), NotFinite> {
        let writes = match event {
            Event::Write(..) => true,
            // Nobody can tell whether a value was written over itself.
            Event::Update { read, written, .. } => written.is_some_and(|written| written != read),
            Event::Read(..) | Event::Fence | Event::Barrier(_) | Event::Skip => false,
        };
        for rest in self.rests_from(thread, pc, registers)? {
            // What nobody noticed need not have happened before a thread is stuck.
            if rest == Rest::Stuck && !writes {
                continue;
            }
            let target = self.number(thread, rest)?;
            self.threads[thread].states[source.index()]
                .transitions
                .push(Transition {
                    event,
                    target,
                    span,
                });
        }
        Ok(())
    }

    fn number(&mut self, thread: usize, rest: Rest) -> Result<StateId, NotFinite> {
        if let Some(known) = self.threads[thread].numbers.get(&rest) {
            return Ok(*known);
        }
        if self.threads[thread].states.len() >= MOST_STATES {
            return Err(self.too_many_states(thread));
        }
        let number = StateId(self.threads[thread].states.len() as u32);
        let state = self.state(thread, &rest);
        let made = &mut self.threads[thread];
        made.numbers.insert(rest.clone(), number);
        made.rests.push(rest);
        made.states.push(state);
        self.work.push((thread, number, 0));
        Ok(number)
    }

    fn state(&self, thread: usize, rest: &Rest) -> State {
        let (standing, observed) = match rest {
            Rest::Failed(failure) => (Standing::Failed(*failure), Vec::new()),
            Rest::Before(pc, registers) if self.code(thread).ops[*pc as usize] == Op::End => {
                let dead = &self.code(thread).dead[*pc as usize];
                let numbered = registers.iter().enumerate();
                let numbered = numbered.map(|(index, word)| (index.into(), *word));
                let kept = numbered.filter(|(register, _)| !dead.contains(register));
                (Standing::Ended, kept.collect())
            }
            Rest::Escaped(cell, word) => {
                let address = self.executable.cells.address(*cell);
                (Standing::Escaped(address, *word), Vec::new())
            }
            Rest::Before(..) | Rest::Stuck => (Standing::Running, Vec::new()),
        };
        State {
            standing,
            transitions: Vec::new(),
            observed,
        }
    }

    /// What a fence becomes under the model: nothing, one that waits, or one that stays in the buffer.
    pub fn fence(&self, orderings: Orderings) -> Option<Event> {
        let loads = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
        let barrier = self.model.effective(orderings).minus(loads);
        if barrier.is_empty() {
            return None;
        }
        let both = Orderings::STORE_LOAD.union(Orderings::STORE_STORE);
        let all = barrier.union(self.model.row().keeps);
        let waits = barrier.contains(Orderings::STORE_LOAD) && all.contains(both);
        Some(if waits {
            Event::Fence
        } else {
            Event::Barrier(barrier)
        })
    }

    /// Everywhere that a thread comes to rest from before `pc`, without an event.
    fn rests_from(
        &self,
        thread: usize,
        pc: u32,
        registers: Registers,
    ) -> Result<Vec<Rest>, NotFinite> {
        let code = self.code(thread);
        let mut rests = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![(pc, registers)];
        while let Some((pc, mut registers)) = work.pop() {
            for register in &code.dead[pc as usize] {
                registers[register.index()] = 0;
            }
            if !seen.insert((pc, registers.clone())) {
                continue;
            }
            if seen.len() > MOST_STATES {
                return Err(self.endless(thread, pc));
            }
            let operands = operands(code, pc, &registers);
            let span = code.spans[pc as usize];
            match code.ops[pc as usize] {
                Op::Assign(target, value) => {
                    let width = code.widths[target.index()];
                    registers[target.index()] = value.evaluate(&operands, width);
                    work.push((pc + 1, registers));
                }
                Op::Branch(then, otherwise) => {
                    let next = if operands[0] != 0 { then } else { otherwise };
                    work.push((next, registers));
                }
                Op::Jump(target) => work.push((target, registers)),
                Op::Assert if operands[0] == 0 => {
                    rests.push(Rest::Failed(Failure::Assertion(span)));
                }
                Op::Assume if operands[0] == 0 => rests.push(Rest::Stuck),
                Op::Assert | Op::Assume => work.push((pc + 1, registers)),
                Op::Choose(target, count) => {
                    for value in 0..Word::from(count) {
                        let mut registers = registers.clone();
                        registers[target.index()] = value;
                        work.push((pc + 1, registers));
                    }
                }
                Op::Fence(orderings) if self.fence(orderings).is_none() => {
                    work.push((pc + 1, registers));
                }
                Op::Access(access) => {
                    let cell = self.executable.cells.resolve(operands[0], access.width);
                    rests.push(match cell {
                        Some(_) => Rest::Before(pc, registers),
                        None => Rest::Failed(Failure::BadAccess(span, operands[0])),
                    });
                }
                Op::Fence(_) | Op::End => rests.push(Rest::Before(pc, registers)),
            }
        }
        if rests.is_empty() {
            // It goes on for ever without an event.
            rests.push(Rest::Stuck);
        }
        rests.dedup();
        Ok(rests)
    }

    /// Adds the transitions from a state, with the values of the location that it reads from this one on.
    fn follow(&mut self, thread: usize, state: StateId, from: usize) -> Result<(), NotFinite> {
        let Rest::Before(pc, registers) = self.threads[thread].rests[state.index()].clone() else {
            return Ok(());
        };
        let code = self.code(thread);
        let span = code.spans[pc as usize];
        let access = match code.ops[pc as usize] {
            Op::Access(access) => access,
            Op::Fence(orderings) => {
                let event = self.fence(orderings).unwrap_or(Event::Skip);
                return self.go_on(thread, state, event, span, pc + 1, registers);
            }
            _ => return Ok(()),
        };
        let operands = operands(code, pc, &registers);
        let Some(cell) = self.executable.cells.resolve(operands[0], access.width) else {
            return Ok(());
        };
        let location = Location(cell.0 as u16);
        if access.kind() == AccessKind::STORE {
            let written = access.written(0, &operands).unwrap_or_default();
            let Some(value) = self.value(cell, written, span)? else {
                return self.escape(thread, state, Event::Skip, span, (cell, written));
            };
            let event = Event::Write(location, value);
            return self.go_on(thread, state, event, span, pc + 1, registers);
        }
        if self.guided {
            return Ok(());
        }
        if from == 0 {
            let readers = self.threads[thread].readers.entry(cell).or_default();
            readers.push(state);
        }
        // What the update writes may be new, and is read in its turn.
        let known = self.words[cell.0 as usize].len();
        self.follow_reads(thread, state, from..known)
    }

    /// Adds the transitions of a load or update that finds one of these values.
    fn follow_reads(
        &mut self,
        thread: usize,
        state: StateId,
        values: Range<usize>,
    ) -> Result<(), NotFinite> {
        let Rest::Before(pc, registers) = self.threads[thread].rests[state.index()].clone() else {
            return Ok(());
        };
        let code = self.code(thread);
        let span = code.spans[pc as usize];
        let Op::Access(access) = code.ops[pc as usize] else {
            return Ok(());
        };
        let operands = operands(code, pc, &registers);
        let Some(cell) = self.executable.cells.resolve(operands[0], access.width) else {
            return Ok(());
        };
        let location = Location(cell.0 as u16);
        for index in values {
            let old = self.words[cell.0 as usize][index];
            let read = Value(index as u16);
            let event = if access.kind() == AccessKind::LOAD {
                Event::Read(location, read)
            } else {
                let mut written = None;
                if let Some(word) = access.written(old, &operands) {
                    written = self.value(cell, word, span)?;
                    if written.is_none() {
                        let event = Event::Update {
                            location,
                            read,
                            written,
                        };
                        self.escape(thread, state, event, span, (cell, word))?;
                        continue;
                    }
                }
                Event::Update {
                    location,
                    read,
                    written,
                }
            };
            let mut registers = registers.clone();
            if let Some(target) = access.target() {
                registers[target.index()] = old;
            }
            self.go_on(thread, state, event, span, pc + 1, registers)?;
        }
        Ok(())
    }

    /// Adds a transition to where a thread is about to write a value that is not allowed.
    fn escape(
        &mut self,
        thread: usize,
        source: StateId,
        event: Event,
        span: Span,
        (cell, word): (Cell, Word),
    ) -> Result<(), NotFinite> {
        let target = self.number(thread, Rest::Escaped(cell, word))?;
        let transition = Transition {
            event,
            target,
            span,
        };
        let state = &mut self.threads[thread].states[source.index()];
        state.transitions.push(transition);
        Ok(())
    }

    /// The number of a value of a location, which may be new; `None` if it is not allowed.
    fn value(&mut self, cell: Cell, word: Word, span: Span) -> Result<Option<Value>, NotFinite> {
        let address = self.executable.cells.address(cell);
        let words = &mut self.words[cell.0 as usize];
        if let Some(known) = words.iter().position(|known| *known == word) {
            return Ok(Some(Value(known as u16)));
        }
        if self.allowed.contains_key(&address) {
            return Ok(None);
        }
        let number = words.len();
        words.push(word);
        if number >= self.most_values {
            return Err(NotFinite::Values {
                address,
                location: self.program.location_name(address),
                declared: self.program.objects[address.object.index()].span,
                span,
            });
        }
        for (thread, made) in self.threads.iter().enumerate() {
            let readers = made.readers.get(&cell).into_iter().flatten();
            self.work
                .extend(readers.map(|state| (thread, *state, number)));
        }
        Ok(Some(Value(number as u16)))
    }

    fn too_many_states(&self, thread: usize) -> NotFinite {
        let made = &self.threads[thread];
        let mut by_pc: FxHashMap<u32, Vec<&Registers>> = FxHashMap::default();
        for rest in &made.rests {
            if let Rest::Before(pc, registers) = rest {
                by_pc.entry(*pc).or_default().push(registers);
            }
        }
        let most = by_pc.iter().max_by_key(|(pc, all)| (all.len(), **pc));
        let (pc, all) = most.map_or((0, &[][..]), |(pc, all)| (*pc, all.as_slice()));
        let registers = &self.program.function_of(thread.into()).registers;
        let values = |index: usize| {
            let values: FxHashSet<Word> = all.iter().map(|all| all[index]).collect();
            values.len()
        };
        let most = (0..registers.len())
            .map(|index| (values(index), index))
            .max();
        NotFinite::States {
            thread: self.program.threads[thread].name.clone(),
            register: most.map(|(count, index)| (registers[index].name.clone(), count)),
            span: self.code(thread).spans[pc as usize],
        }
    }

    fn endless(&self, thread: usize, pc: u32) -> NotFinite {
        NotFinite::States {
            thread: self.program.threads[thread].name.clone(),
            register: None,
            span: self.code(thread).spans[pc as usize],
        }
    }

    pub fn finish(self) -> System {
        let cells = &self.executable.cells;
        let locations = self.words.into_iter().enumerate();
        System {
            locations: locations
                .map(|(cell, words)| LocationValues {
                    address: cells.address(Cell(cell as u32)),
                    words,
                    initial: Value(0),
                })
                .collect(),
            automata: self
                .threads
                .into_iter()
                .map(|thread| Automaton {
                    states: thread.states,
                })
                .collect(),
        }
    }
}

fn operands(code: &Code, pc: u32, registers: &[Word]) -> Vec<Word> {
    let value = |operand: &Operand| match *operand {
        Operand::Register(register) => registers[register.index()],
        Operand::Constant(word) => word,
        Operand::Address(address) => address.to_word(),
    };
    code.operands[pc as usize].iter().map(value).collect()
}
