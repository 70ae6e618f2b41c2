//! Threads as finite automata over what they do to memory.
//!
//! A [`System`] is all that the searches of this crate know of a program: one [`Automaton`] for each thread, whose
//! transitions read, write and update locations with concrete values, and the locations with the values that they can
//! hold. What a thread computes on the way from one access to the next is gone: a state stands for control *and*
//! registers. `build` makes a system of a program, `minimise` makes it small.

mod build;
mod finite;
mod guided;
mod live;
mod minimise;

pub use finite::NotFinite;

use guided::Effort;
use machine::Failure;
use memory::Model;
use program::{Address, Orderings, Program, RegisterId, Span, Word};
use rustc_hash::FxHashMap;

/// A location: its index in [`System::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location(pub u16);

impl Location {
    /// The index as a `usize`, for tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A value that a location can hold: its index in [`LocationValues::words`] of that location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u16);

impl Value {
    /// The index as a `usize`, for tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A state of an automaton: its index in [`Automaton::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// The index as a `usize`, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a transition does that others can notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// Nothing.
    Skip,
    /// Reads this value.
    Read(Location, Value),
    /// Writes this value.
    Write(Location, Value),
    /// Reads a value and perhaps writes another, in one step.
    Update {
        /// Where.
        location: Location,
        /// The value read.
        read: Value,
        /// The value written; none for a compare-and-exchange that fails.
        written: Option<Value>,
    },
    /// Waits until the thread's stores are in memory.
    Fence,
    /// Holds back some of what comes later, without waiting: under PSO only.
    Barrier(Orderings),
}

/// A transition of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transition {
    /// What it does.
    pub event: Event,
    /// Where it leads.
    pub target: StateId,
    /// The instruction.
    pub span: Span,
}

/// How a thread stands in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
    /// It has not ended.
    #[default]
    Running,
    /// It has ended.
    Ended,
    /// It did something wrong.
    Failed(Failure),
    /// It is about to write a value that the location is taken not to hold ([`System::within`]).
    Escaped(Address, Word),
}

/// A state of an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// How the thread stands there.
    pub standing: Standing,
    /// What it may do next.
    pub transitions: Vec<Transition>,
    /// At the thread's end: the registers that a condition speaks of, with their values.
    pub observed: Vec<(RegisterId, Word)>,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// Its states. The thread starts in the first.
    pub states: Vec<State>,
}

impl Automaton {
    /// Where a thread starts.
    pub const START: StateId = StateId(0);

    /// What the thread may do next in a state.
    pub fn transitions(&self, state: StateId) -> &[Transition] {
        &self.states[state.index()].transitions
    }

    /// Every transition with the state that it starts in.
    pub fn all_transitions(&self) -> impl Iterator<Item = (StateId, &Transition)> {
        self.states.iter().enumerate().flat_map(|(index, state)| {
            let source = StateId(index as u32);
            state.transitions.iter().map(move |t| (source, t))
        })
    }
}

/// A location and the values that it can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationValues {
    /// Its address in the program.
    pub address: Address,
    /// The values.
    pub words: Vec<Word>,
    /// The value at the start.
    pub initial: Value,
}

/// Values that some locations are taken to hold at most, besides those at the start.
pub type Allowed = FxHashMap<Address, Vec<Word>>;

/// A location with more values than this may have got them because threads were run alone.
pub const FEW_VALUES: usize = 16;

/// Threads over locations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The threads.
    pub automata: Vec<Automaton>,
    /// The locations.
    pub locations: Vec<LocationValues>,
}

impl System {
    /// The automata of a program without calls, with the fences that a model needs, minimised.
    pub fn of(program: &Program, model: Model) -> Result<System, NotFinite> {
        let mut system = System::unminimised(program, model)?;
        minimise::drop_locations(&mut system, program);
        minimise::minimise(&mut system);
        Ok(system)
    }

    /// The same with every access in it, also to locations that do not matter for what is reachable.
    pub fn with_all_locations(program: &Program, model: Model) -> Result<System, NotFinite> {
        let mut system = System::unminimised(program, model)?;
        minimise::minimise(&mut system);
        Ok(system)
    }

    /// The automata of threads any number of which may run: each is run alone.
    pub fn for_any_number(program: &Program, model: Model) -> Result<System, NotFinite> {
        let everything = Allowed::default();
        let mut system = build::build(program, model, build::MOST_VALUES, &everything)?;
        minimise::drop_locations(&mut system, program);
        minimise::minimise(&mut system);
        Ok(system)
    }

    /// The automata of threads that are run alone with few values. A location in `allowed` holds no others; where a thread would write another,
    /// it has [`Standing::Escaped`].
    pub fn within(program: &Program, model: Model, allowed: &Allowed) -> Result<System, NotFinite> {
        let mut system = build::build(program, model, FEW_VALUES, allowed)?;
        minimise::drop_locations(&mut system, program);
        minimise::minimise(&mut system);
        Ok(system)
    }

    fn unminimised(program: &Program, model: Model) -> Result<System, NotFinite> {
        let everything = Allowed::default();
        let alone = |most| build::build(program, model, most, &everything);
        match alone(FEW_VALUES) {
            Err(NotFinite::Unsupported(unsupported)) => return Err(unsupported.into()),
            Err(_) => {}
            found => return found,
        }
        // Too many states together say nothing about each thread alone.
        guided::build(program, model, Effort::FIRST)
            .or_else(|_| alone(build::MOST_VALUES))
            .or_else(|refused| guided::build(program, model, Effort::LAST).map_err(|_| refused))
    }

    /// The value of a location at the start.
    pub fn initial(&self, location: Location) -> Value {
        self.locations[location.index()].initial
    }

    /// The word that a value of a location stands for.
    pub fn word(&self, location: Location, value: Value) -> Word {
        self.locations[location.index()].words[value.index()]
    }

    /// The number of states of all automata.
    pub fn states(&self) -> usize {
        self.automata.iter().map(|a| a.states.len()).sum()
    }
}
