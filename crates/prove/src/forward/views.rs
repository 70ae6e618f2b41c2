//! The over-approximation for any number of threads that run the same automaton, by views of two of them.
//!
//! After Abdulla, Haziza and Holík, *All for the Price of Few* (VMCAI 2013). A configuration is abstracted to its *views*: memory and the threads that are not
//! replicated (the *context*), with two of the copies. A set of views stands for all configurations whose views are all among them. What one step makes of
//! these has the views of one step
//!
//! - from two copies, of either of them or of a thread of the context, and
//! - from three copies, pairwise in views with this context, of one of them: the other two are a view of the context that it leaves.
//!
//! Larger configurations give nothing else: a step is of one thread, and a view behind it has at most two more. Values that threads may read are sets, as in `forward`,
//! whose argument carries over, since it is about one thread and memory. So whatever is reachable with any number of copies has its views here.

use super::{live, set_of};
use crate::automaton::{Automaton, Event, Location, StateId, System, Value};
use crate::goal::Goal;
use control::Stop;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a thread stands, with the values that it may read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Local {
    automaton: usize,
    state: StateId,
    sets: Box<[u64]>,
}

/// Memory, and the threads that are not replicated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Context {
    memory: Box<[Value]>,
    fixed: Vec<Local>,
}

type Pairs = FxHashMap<u32, FxHashSet<u32>>;

/// Which thread of a configuration does a step.
#[derive(Clone, Copy)]
enum Mover {
    Fixed(usize),
    Copy(usize),
}

/// The views that are reachable in the over-approximation.
pub struct Views {
    contexts: Vec<(Context, Shape)>,
    count: usize,
    /// No goal is met.
    pub safe: bool,
}

/// The pairs of automata and states of copies in one context.
type Shape = FxHashSet<[(usize, StateId); 2]>;

impl Views {
    /// Explores all views; nothing if there are more than `most`, or a location has too many values.
    pub fn of(
        system: &System,
        replicated: &[bool],
        goals: &[Goal],
        most: usize,
        stop: &Stop,
    ) -> Option<Self> {
        let many = |count: usize| count > super::MOST_VALUES;
        if system.locations.iter().any(|l| many(l.words.len())) {
            return None;
        }
        let mut search = Search {
            live: system.automata.iter().map(live).collect(),
            system,
            contexts: Vec::new(),
            numbers: FxHashMap::default(),
            locals: Vec::new(),
            local_numbers: FxHashMap::default(),
            pairs: Vec::new(),
            waiting: Vec::new(),
            count: 0,
        };
        search.start(replicated);
        let mut expanded = 0usize;
        while let Some((context, one, two)) = search.waiting.pop() {
            expanded += 1;
            let late = expanded.is_multiple_of(256) && stop.look().is_some();
            if search.count > most || late {
                return None;
            }
            search.expand(context, one, two);
        }
        Some(search.finish(goals, replicated))
    }

    /// The number of views.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether a context has these threads, each where it stands, and this memory, as far as they are given. Of threads that
    /// are not replicated there is one at most.
    pub fn meet(
        &self,
        replicated: &[bool],
        threads: &[(usize, StateId)],
        memory: &[Option<Value>],
    ) -> bool {
        let (copies, fixed): (Vec<_>, Vec<_>) = threads
            .iter()
            .partition(|(automaton, _)| replicated[*automaton]);
        self.contexts.iter().any(|(context, shape)| {
            let mut values = memory.iter().zip(&context.memory);
            values.all(|(value, held)| value.is_none_or(|value| value == *held))
                && fixed.iter().all(|(automaton, state)| {
                    let mut known = context.fixed.iter();
                    known.any(|local| local.automaton == *automaton && local.state == *state)
                })
                && have(shape, &copies)
        })
    }
}

/// Whether all pairs of these are among the pairs.
fn have(shape: &Shape, copies: &[(usize, StateId)]) -> bool {
    if let [single] = copies {
        return shape.iter().any(|pair| pair.contains(single));
    }
    copies.iter().enumerate().all(|(index, one)| {
        let mut others = copies[index + 1..].iter();
        others.all(|two| shape.contains(&ordered(*one, *two)))
    })
}

fn ordered(one: (usize, StateId), two: (usize, StateId)) -> [(usize, StateId); 2] {
    [one.min(two), one.max(two)]
}

struct Search<'s> {
    system: &'s System,
    live: Vec<Vec<FxHashSet<Location>>>,
    contexts: Vec<Context>,
    numbers: FxHashMap<Context, u32>,
    locals: Vec<Local>,
    local_numbers: FxHashMap<Local, u32>,
    /// For each context, which copies occur together; both ways.
    pairs: Vec<Pairs>,
    waiting: Vec<(u32, u32, u32)>,
    count: usize,
}

impl Search<'_> {
    fn start(&mut self, replicated: &[bool]) {
        let memory: Box<[Value]> = self.system.locations.iter().map(|l| l.initial).collect();
        let local = |automaton| Local {
            automaton,
            state: Automaton::START,
            sets: memory.iter().map(|value| set_of(*value)).collect(),
        };
        let (copies, fixed): (Vec<usize>, Vec<usize>) =
            (0..replicated.len()).partition(|automaton| replicated[*automaton]);
        let context = Context {
            memory: memory.clone(),
            fixed: fixed.into_iter().map(local).collect(),
        };
        for one in &copies {
            for two in &copies {
                self.add(context.clone(), local(*one), local(*two));
            }
        }
    }

    /// Forgets the sets that do not matter.
    fn tidy(&self, local: &mut Local) {
        let live = &self.live[local.automaton][local.state.index()];
        for (index, set) in local.sets.iter_mut().enumerate() {
            if !live.contains(&Location(index as u16)) {
                *set = 0;
            }
        }
    }

    fn number(&mut self, mut local: Local) -> u32 {
        self.tidy(&mut local);
        let next = self.locals.len() as u32;
        let number = *self.local_numbers.entry(local.clone()).or_insert(next);
        if number == next {
            self.locals.push(local);
        }
        number
    }

    fn add(&mut self, mut context: Context, one: Local, two: Local) {
        let mut fixed = std::mem::take(&mut context.fixed);
        fixed.iter_mut().for_each(|local| self.tidy(local));
        context.fixed = fixed;
        let (one, two) = (self.number(one), self.number(two));
        let next = self.contexts.len() as u32;
        let number = *self.numbers.entry(context.clone()).or_insert(next);
        if number == next {
            self.contexts.push(context);
            self.pairs.push(Pairs::default());
        }
        let pairs = &mut self.pairs[number as usize];
        if pairs.entry(one).or_default().insert(two) {
            pairs.entry(two).or_default().insert(one);
            self.count += 1;
            self.waiting.push((number, one, two));
        }
    }

    fn expand(&mut self, number: u32, one: u32, two: u32) {
        let context = self.contexts[number as usize].clone();
        let copies = [one, two].map(|local| self.locals[local as usize].clone());
        let fixed = (0..context.fixed.len()).map(Mover::Fixed);
        for mover in fixed.chain([Mover::Copy(0), Mover::Copy(1)]) {
            for (context, copies) in self.steps(&context, &copies, mover) {
                let [one, two] = <[Local; 2]>::try_from(copies).expect("two copies");
                self.add(context, one, two);
            }
        }
        let pairs = &self.pairs[number as usize];
        let thirds: Vec<u32> = pairs[&one].intersection(&pairs[&two]).copied().collect();
        let [one, two] = copies;
        let [one_writes, two_writes] = [&one, &two].map(|local| self.writes(&context, local));
        for third in thirds {
            let third = &self.locals[third as usize];
            // Who changes nothing that others see leaves them in a view that is known.
            let writes = [one_writes, two_writes, self.writes(&context, third)];
            if !writes.contains(&true) {
                continue;
            }
            let copies = [one.clone(), two.clone(), third.clone()];
            for mover in (0..3).filter(|mover| writes[*mover]) {
                for (context, mut copies) in self.steps(&context, &copies, Mover::Copy(mover)) {
                    copies.remove(mover);
                    let [one, two] = <[Local; 2]>::try_from(copies).expect("two copies");
                    self.add(context, one, two);
                }
            }
        }
    }

    /// Whether a step of this thread writes something that memory does not hold.
    fn writes(&self, context: &Context, local: &Local) -> bool {
        let transitions = self.system.automata[local.automaton].transitions(local.state);
        let held = |location: Location| context.memory[location.index()];
        transitions.iter().any(|transition| match transition.event {
            Event::Write(location, value) => held(location) != value,
            Event::Update {
                location,
                read,
                written,
            } => held(location) == read && written.is_some_and(|written| written != read),
            Event::Skip | Event::Read(..) | Event::Fence | Event::Barrier(_) => false,
        })
    }

    /// What comes of the steps of one thread.
    fn steps(
        &self,
        context: &Context,
        copies: &[Local],
        mover: Mover,
    ) -> Vec<(Context, Vec<Local>)> {
        let local = match mover {
            Mover::Fixed(index) => &context.fixed[index],
            Mover::Copy(index) => &copies[index],
        };
        let transitions = self.system.automata[local.automaton].transitions(local.state);
        let steps = transitions.iter().filter_map(|transition| {
            let written = match transition.event {
                Event::Skip | Event::Barrier(_) | Event::Fence => None,
                Event::Read(location, value) => {
                    if local.sets[location.index()] & set_of(value) == 0 {
                        return None;
                    }
                    None
                }
                Event::Write(location, value) => Some((location, value)),
                Event::Update {
                    location,
                    read,
                    written,
                } => {
                    if context.memory[location.index()] != read {
                        return None;
                    }
                    Some((location, written.unwrap_or(read)))
                }
            };
            let (mut context, mut copies) = (context.clone(), copies.to_vec());
            if let Some((location, value)) = written {
                context.memory[location.index()] = value;
                for local in context.fixed.iter_mut().chain(&mut copies) {
                    local.sets[location.index()] |= set_of(value);
                }
            }
            let Context { memory, fixed } = &mut context;
            let local = match mover {
                Mover::Fixed(index) => &mut fixed[index],
                Mover::Copy(index) => &mut copies[index],
            };
            local.state = transition.target;
            match transition.event {
                Event::Write(location, value) => local.sets[location.index()] = set_of(value),
                Event::Fence | Event::Update { .. } => {
                    local.sets = memory.iter().map(|value| set_of(*value)).collect();
                }
                Event::Skip | Event::Read(..) | Event::Barrier(_) => {}
            }
            Some((context, copies))
        });
        steps.collect()
    }

    fn finish(self, goals: &[Goal], replicated: &[bool]) -> Views {
        let locals = &self.locals;
        let at = |number: &u32| {
            let local = &locals[*number as usize];
            (local.automaton, local.state)
        };
        let contexts = self.contexts.into_iter().zip(&self.pairs);
        let contexts = contexts.map(|(context, pairs)| {
            let pairs = pairs.iter();
            let pairs = pairs.flat_map(|(one, others)| others.iter().map(move |two| (one, two)));
            let shape = pairs.map(|(one, two)| ordered(at(one), at(two)));
            (context, shape.collect())
        });
        let mut views = Views {
            contexts: contexts.collect(),
            count: self.count,
            safe: true,
        };
        let met = |goal: &Goal| {
            let threads = goal.controls.iter().enumerate();
            let threads: Vec<_> = threads.filter_map(|(t, at)| Some((t, (*at)?))).collect();
            views.meet(replicated, &threads, &goal.memory)
        };
        let safe = !goals.iter().any(met);
        views.safe = safe;
        views
    }
}
