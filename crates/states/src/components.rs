//! The components of states, each kept once and numbered: every local state of a
//! thread, and every content of memory.
//!
//! Threads meet only in memory, so what a thread can do is a function of its
//! local state, and of the one value it reads. [`Components`] is what all workers
//! share; each worker has an [`Expander`](crate::expander::Expander) that
//! remembers what it has asked for, so that the shared part is locked only for
//! what is new.

use crate::symmetry::Symmetry;
use machine::{Cell, Processor, Status};
use program::{Formula, ObservedLocation, Position, Program, StateView, ThreadId, Word};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard};

/// Gives each distinct value a number, counting from zero.
pub struct Interner<T> {
    ids: FxHashMap<Arc<T>, u32>,
    values: Vec<Arc<T>>,
}

impl<T: Hash + Eq> Interner<T> {
    fn new() -> Self {
        Interner {
            ids: FxHashMap::default(),
            values: Vec::new(),
        }
    }

    fn number(&mut self, value: T) -> u32 {
        if let Some(id) = self.ids.get(&value) {
            return *id;
        }
        let id = u32::try_from(self.values.len()).expect("fewer than 2^32 components");
        let value = Arc::new(value);
        self.ids.insert(value.clone(), id);
        self.values.push(value);
        id
    }
}

fn lock<T>(interner: &Mutex<Interner<T>>) -> MutexGuard<'_, Interner<T>> {
    interner.lock().expect("no worker panics")
}

/// A content of memory.
pub type Memory = Box<[Word]>;

/// All components seen so far, shared by all workers.
pub struct Components<'a, P: Processor> {
    /// The machine.
    pub processor: &'a P,
    /// The program.
    pub program: &'a Program,
    /// Which threads share their numbering.
    pub symmetry: &'a Symmetry,
    /// Invariants that speak of memory alone.
    memory_invariants: Vec<&'a Formula>,
    /// Local states, for each representative thread.
    locals: Vec<Mutex<Interner<P::Local>>>,
    memories: Mutex<Interner<Memory>>,
}

impl<'a, P: Processor> Components<'a, P> {
    /// No components yet.
    pub fn new(processor: &'a P, program: &'a Program, symmetry: &'a Symmetry) -> Self {
        let threads = program.threads.len();
        let invariants = program.properties.invariants.iter();
        Components {
            processor,
            program,
            symmetry,
            memory_invariants: invariants
                .map(|property| &property.formula)
                .filter(|formula| formula.threads().is_empty())
                .collect(),
            locals: (0..threads).map(|_| Mutex::new(Interner::new())).collect(),
            memories: Mutex::new(Interner::new()),
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.locals.len()
    }

    /// The numbers of local states of a representative.
    pub fn number_locals(&self, representative: usize, locals: Vec<P::Local>) -> Vec<u32> {
        let mut interner = lock(&self.locals[representative]);
        let locals = locals.into_iter();
        locals.map(|local| interner.number(local)).collect()
    }

    /// A local state of a representative.
    pub fn local(&self, representative: usize, id: u32) -> Arc<P::Local> {
        lock(&self.locals[representative]).values[id as usize].clone()
    }

    /// The number of a content of memory.
    pub fn number_memory(&self, memory: Memory) -> u32 {
        lock(&self.memories).number(memory)
    }

    /// A content of memory.
    pub fn memory(&self, id: u32) -> Arc<Memory> {
        lock(&self.memories).values[id as usize].clone()
    }

    /// True if memory alone breaks an invariant.
    pub fn breaks_invariant(&self, memory: &[Word]) -> bool {
        let view = View {
            components: self,
            locals: &[],
            memory,
        };
        let mut invariants = self.memory_invariants.iter();
        invariants.any(|formula| formula.evaluate(&view) == Some(false))
    }

    /// How many kinds of each component there are; memory last.
    pub fn counts(&self) -> Vec<usize> {
        let locals = |thread: usize| {
            let representative = self.symmetry.representative(thread);
            lock(&self.locals[representative]).values.len()
        };
        let memories = lock(&self.memories).values.len();
        let threads = 0..self.threads();
        threads.map(locals).chain([memories]).collect()
    }

    /// Bytes that the components take, roughly: what lies behind pointers in a
    /// local state is guessed from the number of registers.
    pub fn bytes(&self) -> usize {
        let counts = self.counts();
        let cells = self.processor.executable().cells.initial.len();
        let memories = counts[self.threads()] * (cells * size_of::<Word>() + 64);
        let threads = self.processor.executable().threads.iter().enumerate();
        let locals: usize = threads
            .filter(|(thread, _)| self.symmetry.representative(*thread) == *thread)
            .map(|(thread, code)| {
                let registers = code.widths.len() * 2 * size_of::<Word>();
                counts[thread] * (size_of::<P::Local>() + registers + 64)
            })
            .sum();
        memories + locals
    }
}

/// A state, for formulas.
pub struct View<'a, 'p, P: Processor> {
    /// Where its components come from.
    pub components: &'a Components<'p, P>,
    /// Each thread's local state, in the representative's terms.
    pub locals: &'a [Arc<P::Local>],
    /// Memory.
    pub memory: &'a [Word],
}

impl<P: Processor> View<'_, '_, P> {
    /// The number of the first invariant that the state breaks.
    pub fn broken_invariant(&self) -> Option<usize> {
        let mut invariants = self.components.program.properties.invariants.iter();
        invariants.position(|invariant| invariant.formula.evaluate(self) == Some(false))
    }

    /// Which threads have neither ended nor failed.
    pub fn running(&self) -> Vec<ThreadId> {
        let threads = self.locals.iter().enumerate();
        threads
            .filter(|(thread, local)| {
                let representative = self.components.symmetry.representative(*thread);
                let status = self
                    .components
                    .processor
                    .status(representative.into(), local);
                status == Status::Running
            })
            .map(|(thread, _)| thread.into())
            .collect()
    }
}

impl<P: Processor> StateView for View<'_, '_, P> {
    fn value(&self, location: ObservedLocation) -> Option<Word> {
        let processor = self.components.processor;
        match location {
            ObservedLocation::Memory(address) => {
                let Cell(cell) = processor.executable().cells.at(address)?;
                Some(self.memory[cell as usize])
            }
            ObservedLocation::Observation => None,
            ObservedLocation::Register(thread, register) => {
                processor.register(&self.locals[thread.index()], register)
            }
        }
    }

    fn at(&self, thread: ThreadId, position: &Position) -> Option<bool> {
        let local = &self.locals[thread.index()];
        Some(self.components.processor.at(thread, local, position))
    }
}
