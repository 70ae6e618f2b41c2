//! The whole machine: every thread's processor, and memory.
//!
//! A [`Machine`] is at one state at a time. [`Machine::step`] goes on and returns
//! how to take the step back; [`Machine::snapshot`] copies the state.

use crate::processor::{Action, Effect, Processor, Status};
use crate::{Cell, Failure};
use answer::{Outcome, Step};
use program::{Observable, ObservedLocation, Position, StateView, ThreadId, Word};

/// A state of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State<L> {
    /// Each thread's own state.
    pub locals: Vec<L>,
    /// The value of each memory cell.
    pub memory: Vec<Word>,
}

/// A step that the machine may take: an action of a thread, and which of its
/// possible ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Whose action.
    pub thread: ThreadId,
    /// Which.
    pub action: Action,
    /// Which of the thread's possible next states.
    pub way: u32,
}

/// How to take a step back.
#[derive(Clone, Debug)]
pub struct Undo<L> {
    thread: ThreadId,
    local: L,
    cell: Option<(Cell, Word)>,
}

/// Processors, memory, and the state they are in.
pub struct Machine<'p, P: Processor> {
    processor: &'p P,
    state: State<P::Local>,
}

impl<'p, P: Processor> Machine<'p, P> {
    /// The machine at the start; `starts` says in which of its possible first
    /// states each thread is.
    pub fn new(processor: &'p P, starts: &[u32]) -> Option<Self> {
        let threads = (0..processor.executable().threads.len()).map(ThreadId::from);
        let local = |thread: ThreadId| {
            let ways = processor.start(thread, false);
            let way = starts.get(thread.index()).copied().unwrap_or(0);
            Some(ways.into_iter().nth(way as usize)?.0)
        };
        Some(Machine {
            processor,
            state: State {
                locals: threads.map(local).collect::<Option<_>>()?,
                memory: processor.executable().cells.initial.clone(),
            },
        })
    }

    /// The state that the machine is in.
    pub fn state(&self) -> &State<P::Local> {
        &self.state
    }

    /// A copy of the state.
    pub fn snapshot(&self) -> State<P::Local> {
        self.state.clone()
    }

    /// Goes to a state, which must be one of this machine.
    pub fn restore(&mut self, state: State<P::Local>) {
        self.state = state;
    }

    /// Every step that is possible now.
    pub fn choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        let mut actions = Vec::new();
        for (index, local) in self.state.locals.iter().enumerate() {
            let thread = ThreadId::from(index);
            actions.clear();
            self.processor.actions(thread, local, &mut actions);
            for &action in &actions {
                let seen = self.state.seen(action);
                let performed = self.processor.perform(thread, local, action, seen, false);
                choices.extend((0..performed.next.len() as u32).map(|way| Choice {
                    thread,
                    action,
                    way,
                }));
            }
        }
        choices
    }

    /// Takes a step, if it is possible. Adds what happened to `steps`.
    pub fn step(
        &mut self,
        choice: Choice,
        steps: Option<&mut Vec<Step>>,
    ) -> Option<Undo<P::Local>> {
        let Choice {
            thread,
            action,
            way,
        } = choice;
        let local = self.state.locals.get(thread.index())?;
        let mut actions = Vec::new();
        self.processor.actions(thread, local, &mut actions);
        if !actions.contains(&action) {
            return None;
        }
        let seen = self.state.seen(action);
        let performed = self
            .processor
            .perform(thread, local, action, seen, steps.is_some());
        let (next, log) = performed.next.into_iter().nth(way as usize)?;
        if let Some(steps) = steps {
            steps.extend(log.into_steps());
        }
        let written = match action.effect {
            Effect::Write(cell, value) => Some((cell, value)),
            Effect::Update(cell) => performed.written.map(|value| (cell, value)),
            Effect::Silent | Effect::Read(_) => None,
        };
        let undo = Undo {
            thread,
            local: std::mem::replace(&mut self.state.locals[thread.index()], next),
            cell: written.map(|(cell, _)| (cell, self.state.memory[cell.0 as usize])),
        };
        if let Some((cell, value)) = written {
            self.state.memory[cell.0 as usize] = value;
        }
        Some(undo)
    }

    /// Takes the last step back.
    pub fn undo(&mut self, undo: Undo<P::Local>) {
        self.state.locals[undo.thread.index()] = undo.local;
        if let Some((cell, value)) = undo.cell {
            self.state.memory[cell.0 as usize] = value;
        }
    }

    /// How a thread stands.
    pub fn status(&self, thread: ThreadId) -> Status {
        let local = &self.state.locals[thread.index()];
        self.processor.status(thread, local)
    }

    /// The first thread that did something wrong.
    pub fn failure(&self) -> Option<(ThreadId, Failure)> {
        let mut threads = (0..self.state.locals.len()).map(ThreadId::from);
        threads.find_map(|thread| match self.status(thread) {
            Status::Failed(failure) => Some((thread, failure)),
            Status::Running | Status::Finished => None,
        })
    }

    /// Whether a thread may yet turn out not to have done something that others have seen.
    pub fn is_betting(&self) -> bool {
        let mut locals = self.state.locals.iter().enumerate();
        locals.any(|(thread, local)| self.processor.is_betting(thread.into(), local))
    }

    /// True if every thread has ended, and all stores are in memory.
    pub fn is_final(&self) -> bool {
        let mut threads = (0..self.state.locals.len()).map(ThreadId::from);
        threads.all(|thread| self.status(thread) == Status::Finished)
    }

    /// The values of `observed` now; zero for a value that is on its way.
    pub fn outcome(&self, observed: &[Observable]) -> Outcome {
        Outcome(
            observed
                .iter()
                .map(|o| o.width.truncate(self.value(o.location).unwrap_or(0)))
                .collect(),
        )
    }
}

impl<L> State<L> {
    /// The value that an action sees in memory.
    pub fn seen(&self, action: Action) -> Word {
        match action.effect {
            Effect::Read(cell) | Effect::Update(cell) => self.memory[cell.0 as usize],
            Effect::Silent | Effect::Write(..) => 0,
        }
    }
}

impl<P: Processor> StateView for Machine<'_, P> {
    fn value(&self, location: ObservedLocation) -> Option<Word> {
        match location {
            ObservedLocation::Memory(address) => {
                let cell = self.processor.executable().cells.at(address)?;
                Some(self.state.memory[cell.0 as usize])
            }
            ObservedLocation::Observation => None,
            ObservedLocation::Register(thread, register) => {
                let local = &self.state.locals[thread.index()];
                self.processor.register(local, register)
            }
        }
    }

    fn at(&self, thread: ThreadId, position: &Position) -> Option<bool> {
        let local = &self.state.locals[thread.index()];
        Some(self.processor.at(thread, local, position))
    }
}
