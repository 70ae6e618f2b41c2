//! The over-approximation for any number of threads that run the same automaton, by views of two of them.
//!
//! After Abdulla, Haziza and Holík, *All for the Price of Few* (VMCAI 2013). A configuration is abstracted to its *views*: memory and the threads that are not
//! replicated (the *context*), with two of the copies. A set of views stands for all configurations whose views are all among them. What one step makes of
//! these has the views of one step
//!
//! - from two copies, of either of them or of a thread of the context, and
//! - from three copies, pairwise in views with this context, of one of them: the other two are a view of the context that it leaves.
//!
//! Larger configurations give nothing else: a step is of one thread, and a view behind it has at most two more.
//!
//! What threads may read are sets of values, as in `forward`, whose argument carries over, since it is about one thread and memory. Here the sets of all
//! copies that stand in one state in one context are *joined*: there would be too many otherwise, as a thread that is about to read a word which others change again and again may have
//! seen any of its values. What it reads counts for little there, if a compare-and-exchange has to find the same once more.
//!
//! So whatever is reachable with any number of copies has its views here.

use super::{live, set_of};
use crate::automaton::{Automaton, Event, Location, StateId, System, Transition, Value};
use crate::goal::Goal;
use control::Stop;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a thread stands.
type Place = (usize, StateId);

/// The values that a thread may read in each location.
type Sets = Box<[u64]>;

/// Memory, and where the threads stand that are not replicated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Context {
    memory: Box<[Value]>,
    fixed: Vec<Place>,
}

/// What is known of a context.
#[derive(Default)]
struct Known {
    /// What the threads that are not replicated may read.
    fixed: Vec<Sets>,
    /// What copies may read, by the numbers of their places.
    copies: FxHashMap<u32, Sets>,
    /// Which copies occur together; both ways.
    pairs: Pairs,
}

/// A thread of a view.
#[derive(Clone, Debug)]
struct Local {
    place: Place,
    sets: Sets,
}

/// What the copies of a view have in common: memory, and the other threads.
#[derive(Clone)]
struct Together {
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
type Shape = FxHashSet<[Place; 2]>;

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
            known: Vec::new(),
            places: Vec::new(),
            place_numbers: FxHashMap::default(),
            waiting: Vec::new(),
            waits: FxHashSet::default(),
            count: 0,
        };
        search.start(replicated);
        let mut expanded = 0usize;
        while let Some(view) = search.waiting.pop() {
            search.waits.remove(&view);
            expanded += 1;
            let late = expanded.is_multiple_of(256) && stop.look().is_some();
            if search.count > most || late {
                return None;
            }
            search.expand(view);
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
                    known.any(|place| *place == (*automaton, *state))
                })
                && have(shape, &copies)
        })
    }
}

/// Whether all pairs of these are among the pairs.
fn have(shape: &Shape, copies: &[Place]) -> bool {
    if let [single] = copies {
        return shape.iter().any(|pair| pair.contains(single));
    }
    copies.iter().enumerate().all(|(index, one)| {
        let mut others = copies[index + 1..].iter();
        others.all(|two| shape.contains(&ordered(*one, *two)))
    })
}

fn ordered(one: Place, two: Place) -> [Place; 2] {
    [one.min(two), one.max(two)]
}

/// A context and two copies, by their numbers; the smaller place first.
type View = (u32, u32, u32);

struct Search<'s> {
    system: &'s System,
    live: Vec<Vec<FxHashSet<Location>>>,
    contexts: Vec<Context>,
    numbers: FxHashMap<Context, u32>,
    known: Vec<Known>,
    places: Vec<Place>,
    place_numbers: FxHashMap<Place, u32>,
    waiting: Vec<View>,
    /// Those that wait.
    waits: FxHashSet<View>,
    count: usize,
}

/// Adds what is in other sets; whether anything is new.
fn join(sets: &mut Sets, more: &Sets) -> bool {
    let mut new = false;
    for (set, more) in sets.iter_mut().zip(more) {
        new |= *more & !*set != 0;
        *set |= more;
    }
    new
}

impl Search<'_> {
    fn start(&mut self, replicated: &[bool]) {
        let memory: Box<[Value]> = self.system.locations.iter().map(|l| l.initial).collect();
        let local = |automaton| Local {
            place: (automaton, Automaton::START),
            sets: memory.iter().map(|value| set_of(*value)).collect(),
        };
        let (copies, fixed): (Vec<usize>, Vec<usize>) =
            (0..replicated.len()).partition(|automaton| replicated[*automaton]);
        let together = Together {
            memory: memory.clone(),
            fixed: fixed.into_iter().map(local).collect(),
        };
        for one in &copies {
            for two in &copies {
                self.add(together.clone(), [local(*one), local(*two)]);
            }
        }
    }

    /// The sets, without those that do not matter.
    fn tidied(&self, local: &Local) -> Sets {
        let live = &self.live[local.place.0][local.place.1.index()];
        let sets = local.sets.iter().enumerate();
        let kept = |(index, set): (usize, &u64)| match live.contains(&Location(index as u16)) {
            true => *set,
            false => 0,
        };
        sets.map(kept).collect()
    }

    fn place_number(&mut self, place: Place) -> u32 {
        let next = self.places.len() as u32;
        let number = *self.place_numbers.entry(place).or_insert(next);
        if number == next {
            self.places.push(place);
        }
        number
    }

    fn wait(&mut self, context: u32, one: u32, two: u32) {
        let view = (context, one.min(two), one.max(two));
        if self.waits.insert(view) {
            self.waiting.push(view);
        }
    }

    fn add(&mut self, Together { memory, fixed }: Together, copies: [Local; 2]) {
        let context = Context {
            memory,
            fixed: fixed.iter().map(|local| local.place).collect(),
        };
        let next = self.contexts.len() as u32;
        let number = *self.numbers.entry(context.clone()).or_insert(next);
        if number == next {
            let nothing: Sets = vec![0; context.memory.len()].into();
            self.known.push(Known {
                fixed: vec![nothing; fixed.len()],
                ..Known::default()
            });
            self.contexts.push(context);
        }
        let [one, two] = copies
            .each_ref()
            .map(|local| self.place_number(local.place));
        let fixed: Vec<Sets> = fixed.iter().map(|local| self.tidied(local)).collect();
        let copies = copies.each_ref().map(|local| self.tidied(local));
        let known = &mut self.known[number as usize];
        let mut for_all = false;
        for (sets, more) in known.fixed.iter_mut().zip(&fixed) {
            for_all |= join(sets, more);
        }
        let mut grown = Vec::new();
        for (place, sets) in [one, two].into_iter().zip(copies) {
            let nothing = || vec![0; sets.len()].into();
            if join(known.copies.entry(place).or_insert_with(nothing), &sets) {
                grown.push(place);
            }
        }
        let is_new = known.pairs.entry(one).or_default().insert(two);
        known.pairs.entry(two).or_default().insert(one);
        self.count += usize::from(is_new);
        // Steps of a thread that may read more are taken again, in all views that it is in.
        let mut again: Vec<(u32, u32)> = vec![(one, two); is_new.into()];
        if for_all {
            grown = known.pairs.keys().copied().collect();
        }
        for place in grown {
            let others = known.pairs[&place].iter();
            again.extend(others.map(|other| (place, *other)));
        }
        for (one, two) in again {
            self.wait(number, one, two);
        }
    }

    fn local(&self, context: u32, place: u32) -> Local {
        Local {
            place: self.places[place as usize],
            sets: self.known[context as usize].copies[&place].clone(),
        }
    }

    fn expand(&mut self, (number, one, two): View) {
        let Context { memory, fixed } = self.contexts[number as usize].clone();
        let known = &self.known[number as usize];
        let fixed = fixed.into_iter().zip(&known.fixed);
        let fixed = fixed.map(|(place, sets)| Local {
            place,
            sets: sets.clone(),
        });
        let together = Together {
            memory,
            fixed: fixed.collect(),
        };
        let copies = [one, two].map(|place| self.local(number, place));
        let movers = (0..together.fixed.len()).map(Mover::Fixed);
        for mover in movers.chain([Mover::Copy(0), Mover::Copy(1)]) {
            for (next, copies) in self.steps(&together, &copies, mover) {
                let copies = <[Local; 2]>::try_from(copies).expect("two copies");
                self.add(next, copies);
            }
        }
        let pairs = &self.known[number as usize].pairs;
        let thirds: Vec<u32> = pairs[&one].intersection(&pairs[&two]).copied().collect();
        let [one, two] = copies;
        let [one_writes, two_writes] = [&one, &two].map(|local| self.writes(&together, local));
        for third in thirds {
            let third = self.local(number, third);
            // Who changes nothing that others see leaves them in a view that is known.
            let writes = [one_writes, two_writes, self.writes(&together, &third)];
            if !writes.contains(&true) {
                continue;
            }
            let copies = [one.clone(), two.clone(), third];
            for mover in (0..3).filter(|mover| writes[*mover]) {
                for (next, mut copies) in self.steps(&together, &copies, Mover::Copy(mover)) {
                    copies.remove(mover);
                    let copies = <[Local; 2]>::try_from(copies).expect("two copies");
                    self.add(next, copies);
                }
            }
        }
    }

    /// Whether a step of this thread writes something that memory does not hold.
    fn writes(&self, together: &Together, local: &Local) -> bool {
        let held = |location: Location| together.memory[location.index()];
        let mut transitions = self.transitions(local).iter();
        transitions.any(|transition| match transition.event {
            Event::Write(location, value) => held(location) != value,
            Event::Update {
                location,
                read,
                written,
            } => held(location) == read && written.is_some_and(|written| written != read),
            Event::Skip | Event::Read(..) | Event::Fence | Event::Barrier(_) => false,
        })
    }

    fn transitions(&self, local: &Local) -> &[Transition] {
        let (automaton, state) = local.place;
        self.system.automata[automaton].transitions(state)
    }

    /// What comes of the steps of one thread.
    fn steps(
        &self,
        together: &Together,
        copies: &[Local],
        mover: Mover,
    ) -> Vec<(Together, Vec<Local>)> {
        let local = match mover {
            Mover::Fixed(index) => &together.fixed[index],
            Mover::Copy(index) => &copies[index],
        };
        let steps = self.transitions(local).iter().filter_map(|transition| {
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
                    if together.memory[location.index()] != read {
                        return None;
                    }
                    Some((location, written.unwrap_or(read)))
                }
            };
            let (mut next, mut copies) = (together.clone(), copies.to_vec());
            if let Some((location, value)) = written {
                next.memory[location.index()] = value;
                for local in next.fixed.iter_mut().chain(&mut copies) {
                    local.sets[location.index()] |= set_of(value);
                }
            }
            let Together { memory, fixed } = &mut next;
            let local = match mover {
                Mover::Fixed(index) => &mut fixed[index],
                Mover::Copy(index) => &mut copies[index],
            };
            local.place.1 = transition.target;
            match transition.event {
                Event::Write(location, value) => local.sets[location.index()] = set_of(value),
                Event::Fence | Event::Update { .. } => {
                    local.sets = memory.iter().map(|value| set_of(*value)).collect();
                }
                Event::Skip | Event::Read(..) | Event::Barrier(_) => {}
            }
            Some((next, copies))
        });
        steps.collect()
    }

    fn finish(self, goals: &[Goal], replicated: &[bool]) -> Views {
        let at = |number: &u32| self.places[*number as usize];
        let contexts = self.contexts.into_iter().zip(&self.known);
        let contexts = contexts.map(|(context, known)| {
            let pairs = known.pairs.iter();
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
