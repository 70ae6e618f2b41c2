//! Threads over locations, and what they must not reach.

use crate::error::Reason;
use crate::line::Line;
use rustc_hash::FxHashMap;

/// How stores wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    Sc,
    Tso,
    Pso,
}

/// What a transition does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    Skip,
    Fence,
    /// Holds back later loads, later stores, or both, without waiting.
    Barrier(Held),
    Read(u32, u32),
    Write(u32, u32),
    /// The location, what is read, what is there afterwards.
    Update(u32, u32, u32),
}

/// What a barrier keeps from overtaking the stores before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Held {
    pub loads: bool,
    pub stores: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Transition {
    pub source: u32,
    pub target: u32,
    pub event: Event,
}

/// A thread; it starts in state 0.
pub struct Thread {
    pub states: u32,
    pub transitions: Vec<Transition>,
    from: FxHashMap<u32, Vec<usize>>,
}

impl Thread {
    /// The transitions from a state.
    pub fn from(&self, state: u32) -> impl Iterator<Item = &Transition> {
        let numbers = self.from.get(&state).into_iter().flatten();
        numbers.map(|number| &self.transitions[*number])
    }
}

pub struct Location {
    pub values: u32,
    pub initial: u32,
}

/// Where each thread must not stand, with these values in memory; `None` is anywhere and anything. If it speaks of memory, it
/// means states in which no store waits.
pub struct Goal {
    pub controls: Vec<Option<u32>>,
    pub memory: Vec<Option<u32>>,
}

impl Goal {
    pub fn is_met(&self, controls: &[u32], memory: &[u32]) -> bool {
        let agree = |wanted: &[Option<u32>], found: &[u32]| {
            let mut pairs = wanted.iter().zip(found);
            pairs.all(|(wanted, found)| wanted.is_none_or(|wanted| wanted == *found))
        };
        agree(&self.controls, controls) && agree(&self.memory, memory)
    }

    pub fn speaks_of_memory(&self) -> bool {
        self.memory.iter().any(Option::is_some)
    }
}

/// Threads, locations and goals.
pub struct System {
    pub model: Model,
    pub locations: Vec<Location>,
    pub threads: Vec<Thread>,
    pub goals: Vec<Goal>,
}

impl System {
    pub fn new(model: &str) -> Result<Self, Reason> {
        let model = match model {
            "sc" => Model::Sc,
            "tso" => Model::Tso,
            "pso" => Model::Pso,
            other => return Err(Reason::Unexpected(other.to_owned())),
        };
        Ok(System {
            model,
            locations: Vec::new(),
            threads: Vec::new(),
            goals: Vec::new(),
        })
    }

    pub fn transitions(&self) -> u64 {
        let counts = self.threads.iter().map(|t| t.transitions.len() as u64);
        counts.sum()
    }

    /// Memory at the start.
    pub fn initial(&self) -> Vec<u32> {
        self.locations.iter().map(|l| l.initial).collect()
    }

    /// Reads a line that begins with this word: locations, then threads with their transitions, then goals.
    pub fn line(&mut self, word: &str, mut line: Line<'_>) -> Result<(), Reason> {
        let no_goals = self.goals.is_empty();
        match word {
            "location" if self.threads.is_empty() && no_goals => {
                let values = line.below(u64::from(u32::MAX))?;
                let initial = line.below(values.into())?;
                self.locations.push(Location { values, initial });
            }
            "thread" if no_goals => self.threads.push(Thread {
                states: line.below(u64::from(u32::MAX))?,
                transitions: Vec::new(),
                from: FxHashMap::default(),
            }),
            "goal" => {
                let goal = Goal {
                    controls: self.controls(&mut line, Line::starred)?,
                    memory: self.memory(&mut line, Line::starred)?,
                };
                self.goals.push(goal);
            }
            word if no_goals => self.transition(word, &mut line)?,
            word => return Err(Reason::Unexpected(word.to_owned())),
        }
        line.end()
    }

    fn transition(&mut self, word: &str, line: &mut Line<'_>) -> Result<(), Reason> {
        let unexpected = || Reason::Unexpected(word.to_owned());
        let thread = self.threads.last_mut().ok_or_else(unexpected)?;
        let source = line.below(thread.states.into())?;
        let target = line.below(thread.states.into())?;
        let location = |line: &mut Line<'_>| -> Result<(u32, u64), Reason> {
            let index = line.below(self.locations.len() as u64)?;
            Ok((index, self.locations[index as usize].values.into()))
        };
        let event = match word {
            "skip" => Event::Skip,
            "fence" => Event::Fence,
            "barrier" => Event::Barrier(held(line)?),
            "read" => {
                let (location, values) = location(line)?;
                Event::Read(location, line.below(values)?)
            }
            "write" => {
                let (location, values) = location(line)?;
                Event::Write(location, line.below(values)?)
            }
            "update" => {
                let (location, values) = location(line)?;
                Event::Update(location, line.below(values)?, line.below(values)?)
            }
            _ => return Err(unexpected()),
        };
        let number = thread.transitions.len();
        thread.transitions.push(Transition {
            source,
            target,
            event,
        });
        thread.from.entry(source).or_default().push(number);
        Ok(())
    }

    /// Reads where each thread stands.
    pub fn controls<'a, T>(
        &self,
        line: &mut Line<'a>,
        read: impl Fn(&mut Line<'a>, u64) -> Result<T, Reason>,
    ) -> Result<Vec<T>, Reason> {
        let threads = self.threads.iter();
        threads.map(|t| read(line, t.states.into())).collect()
    }

    /// Reads what each location holds.
    pub fn memory<'a, T>(
        &self,
        line: &mut Line<'a>,
        read: impl Fn(&mut Line<'a>, u64) -> Result<T, Reason>,
    ) -> Result<Vec<T>, Reason> {
        let locations = self.locations.iter();
        locations.map(|l| read(line, l.values.into())).collect()
    }

    /// That its parts go together.
    pub fn check(&self) -> Result<(), Reason> {
        let transitions = self.threads.iter().flat_map(|t| &t.transitions);
        let mut barriers = transitions.filter(|t| matches!(t.event, Event::Barrier(_)));
        if self.model != Model::Pso && barriers.next().is_some() {
            return Err(Reason::Unexpected("barrier".to_owned()));
        }
        let empty = self.threads.iter().any(|thread| thread.states == 0);
        if empty || self.threads.is_empty() {
            return Err(Reason::NoThread);
        }
        Ok(())
    }
}

/// Reads what a barrier holds back: 1 loads, 2 stores, 3 both.
pub fn held(line: &mut Line<'_>) -> Result<Held, Reason> {
    match line.below(4)? {
        0 => Err(Reason::NotANumber("0".to_owned())),
        bits => Ok(Held {
            loads: bits & 1 != 0,
            stores: bits & 2 != 0,
        }),
    }
}
