//! The searches against a machine with store buffers that is written down here once more, on generated automata.

mod agreement {
    pub mod certificates;
    pub mod explicit;
    pub mod generate;
}

use agreement::certificates::{Tried, invariants, invariants_of_pso, refuse_all, try_all};
use agreement::explicit::explore;
use agreement::generate::{Numbers, Shape, system};
use control::Control;
use memory::{Buffering, Model};
use program::{Address, ObjectId, Span};
use prove::attacks::{AttackSearch, Attacks};
use prove::automaton::{
    Automaton, Event, Location, LocationValues, State, StateId, System, Transition, Value,
};
use prove::bounded::{Bounded, BoundedSearch};
use prove::dual::{Backward, DualSearch};
use prove::forward::Reachable;
use prove::goal::Goal;
use prove::merged::{Found, MergedSearch};

const MOST: usize = 100_000;
const MOST_MERGED: usize = 2_000;

/// Ways for threads to stand late in their automata, for some with memory.
fn goals(system: &System, numbers: &mut Numbers) -> Vec<Goal> {
    let mut goals = Vec::new();
    for _ in 0..8 {
        let late = |numbers: &mut Numbers, states: usize| {
            let back = numbers.below(3).min(numbers.below(states));
            Some(StateId((states - 1 - back) as u32))
        };
        let threads = system.automata.iter();
        let mut goal = Goal {
            controls: threads.map(|a| late(numbers, a.states.len())).collect(),
            memory: vec![None; system.locations.len()],
        };
        match numbers.below(4) {
            0 => {
                for (held, location) in goal.memory.iter_mut().zip(&system.locations) {
                    let value = Value(numbers.below(location.words.len()) as u16);
                    *held = (numbers.below(3) > 0).then_some(value);
                }
            }
            1 => {
                let absent = numbers.below(goal.controls.len());
                goal.controls[absent] = None;
            }
            _ => {}
        }
        if !goals.contains(&goal) {
            goals.push(goal);
        }
    }
    goals
}

#[derive(Default)]
struct Tally {
    systems: usize,
    safe: usize,
    unsafe_by_buffers: usize,
    beyond: usize,
    cut: usize,
    proved_forwards: usize,
    robust: usize,
    certificates: Tried,
}

fn compare(seed: u64, shape: &Shape, largest: usize, tally: &mut Tally) {
    let mut numbers = Numbers::new(seed);
    let system = system(&mut numbers, shape);
    let goals = goals(&system, &mut numbers);
    let stop = Control::default().stop();
    let explicit: Vec<_> = (0..=largest)
        .map(|k| explore(&system, Buffering::PerThread, k, 200_000))
        .collect();
    let Some(explicit) = explicit.into_iter().collect::<Option<Vec<_>>>() else {
        tally.cut += 1;
        return;
    };
    tally.systems += 1;
    let attacks = AttackSearch::new(&system, &[]).run(1_000_000, &stop);
    tally.robust += usize::from(attacks == Attacks::Robust);
    let (mut reached, mut proofs) = (Vec::new(), Vec::new());
    for goal in &goals {
        let one = std::slice::from_ref(goal);
        let smallest = explicit.iter().position(|states| states.meets(goal));
        let mut dual = DualSearch::new(&system, one, None).expect("few sequences");
        let found = dual.run(MOST, &stop);
        let reachable = Reachable::of(&system, one, MOST, &stop).expect("few states");
        let mut pruned = DualSearch::new(&system, one, Some(&reachable)).expect("few sequences");
        assert_eq!(
            found,
            pruned.run(MOST, &stop),
            "seed {seed}: {goal:?}\n{system:#?}"
        );
        assert!(
            !reachable.safe || found == Backward::Unreachable,
            "seed {seed}: {goal:?}\n{system:#?}"
        );
        tally.proved_forwards += usize::from(reachable.safe);
        let mut bounded = BoundedSearch::new(&system, one, Buffering::PerThread);
        let grown = match found {
            Backward::Reachable(_) => bounded.run(1_000_000, &stop),
            _ => bounded.run(2_000, &stop),
        };
        match (found, smallest) {
            (Backward::Unreachable, None) => tally.safe += 1,
            (Backward::Reachable(_), Some(smallest)) => {
                tally.unsafe_by_buffers += usize::from(smallest > 0);
                // What is robust has no more states than SC.
                assert!(
                    smallest == 0 || matches!(attacks, Attacks::Feasible(_)),
                    "seed {seed}: {attacks:?}\n{system:#?}"
                );
                let Bounded::Met { bound, .. } = grown else {
                    panic!("seed {seed}: not met: {goal:?}\n{system:#?}");
                };
                assert_eq!(
                    bound as usize, smallest,
                    "seed {seed}: {goal:?}\n{system:#?}"
                );
            }
            // It takes larger buffers.
            (Backward::Reachable(_), None) => {
                tally.beyond += 1;
                assert!(matches!(attacks, Attacks::Feasible(_)), "seed {seed}");
                let Bounded::Met { bound, .. } = grown else {
                    panic!("seed {seed}: not met: {goal:?}\n{system:#?}");
                };
                assert!(bound as usize > largest);
            }
            _ => panic!("seed {seed}: {found:?}, but {smallest:?}: {goal:?}\n{system:#?}"),
        }
        if found == Backward::Unreachable {
            assert!(!matches!(grown, Bounded::Met { .. }), "seed {seed}");
            let found = invariants(&system, goal, &stop);
            let tried = &mut tally.certificates;
            try_all(Model::Tso, &mut numbers, &system, goal, &found, tried);
            proofs.extend(found);
        } else {
            reached.push(goal);
        }
    }
    for goal in reached {
        refuse_all(Model::Tso, &system, goal, &proofs, &mut tally.certificates);
    }
}

fn compare_many(seeds: std::ops::Range<u64>, shape: &Shape, largest: usize) {
    let mut tally = Tally::default();
    for seed in seeds {
        compare(seed, shape, largest, &mut tally);
    }
    let tried = &tally.certificates;
    eprintln!(
        "{} certificates accepted, {} mutilated and {} of other goals refused",
        tried.accepted, tried.mutilated, tried.of_other_goals
    );
    eprintln!("{} are robust", tally.robust);
    assert!(
        tally.robust > 0 && tried.accepted > 0 && tried.mutilated > 0 && tried.of_other_goals > 0
    );
    eprintln!(
        "{} systems ({} too large): {} goals out of reach ({} shown forwards), {} only with store buffers, {} with more than {largest} stores",
        tally.systems,
        tally.cut,
        tally.safe,
        tally.proved_forwards,
        tally.unsafe_by_buffers,
        tally.beyond
    );
    assert!(tally.systems > 0 && tally.safe > tally.proved_forwards && tally.unsafe_by_buffers > 0);
}

/// `FENCEPOST_SEEDS=N` tries N of each shape, from `FENCEPOST_FIRST` on.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok()?.parse().ok();
    let first = number("FENCEPOST_FIRST").unwrap_or(0);
    first..first + number("FENCEPOST_SEEDS").unwrap_or(usual)
}

#[test]
fn two_threads() {
    let shape = Shape {
        threads: 2,
        states: 5,
        locations: 2,
        values: 2,
        transitions: 6,
        fences: 4,
        barriers: 0,
        likely: 3,
    };
    compare_many(seeds(200), &shape, 4);
}

#[test]
fn two_threads_with_more_values() {
    let shape = Shape {
        threads: 2,
        states: 6,
        locations: 2,
        values: 3,
        transitions: 7,
        fences: 2,
        barriers: 0,
        likely: 3,
    };
    compare_many(seeds(200), &shape, 4);
}

#[test]
fn two_threads_with_more_locations() {
    let shape = Shape {
        threads: 2,
        states: 6,
        locations: 3,
        values: 2,
        transitions: 7,
        fences: 2,
        barriers: 0,
        likely: 3,
    };
    compare_many(seeds(200), &shape, 4);
}

#[test]
fn two_threads_that_store_anywhere() {
    let shape = Shape {
        threads: 2,
        states: 6,
        locations: 3,
        values: 2,
        transitions: 6,
        fences: 2,
        barriers: 0,
        likely: 1,
    };
    compare_many(seeds(200), &shape, 4);
}

#[test]
fn three_threads() {
    let shape = Shape {
        threads: 3,
        states: 4,
        locations: 3,
        values: 2,
        transitions: 4,
        fences: 4,
        barriers: 0,
        likely: 3,
    };
    compare_many(seeds(150), &shape, 3);
}

#[derive(Default)]
struct TallyOfPso {
    systems: usize,
    reached: usize,
    /// Goals that are shown to be out of reach though buffers grow and grow.
    proved: usize,
    /// Goals that are not met with the largest buffers that were tried, nor shown to be out of reach.
    open: usize,
    certificates: Tried,
}

/// Under PSO what is merged must show no goal to be out of reach that explicit search finds.
fn compare_under_pso(seed: u64, shape: &Shape, largest: usize, tally: &mut TallyOfPso) {
    let mut numbers = Numbers::new(seed);
    let system = system(&mut numbers, shape);
    let goals = goals(&system, &mut numbers);
    let stop = Control::default().stop();
    let explicit: Option<Vec<_>> = (0..=largest)
        .map(|k| explore(&system, Buffering::PerLocation, k, 20_000))
        .collect();
    let Some(explicit) = explicit else {
        return;
    };
    tally.systems += 1;
    let (mut reached, mut proofs) = (Vec::new(), Vec::new());
    for goal in &goals {
        let one = std::slice::from_ref(goal);
        let smallest = explicit.iter().position(|states| states.meets(goal));
        let mut bounded = BoundedSearch::new(&system, one, Buffering::PerLocation);
        let bounded = bounded.run(5_000, &stop);
        let mut shown = None;
        for kept in 1..=3 {
            let found = MergedSearch::new(&system, one, kept).run(MOST_MERGED, &stop);
            let mut plain = MergedSearch::new(&system, one, kept).plain();
            let plain = plain.run(MOST_MERGED, &stop);
            let at = format!("seed {seed}, {kept} kept: {goal:?}\n{system:#?}");
            let opposite = [Found::Met, Found::Unreachable].map(|one| found == one || plain == one);
            assert_ne!(opposite, [true, true], "{at}");
            if found == Found::Unreachable {
                assert_eq!(smallest, None, "{at}");
                assert!(!matches!(bounded, Bounded::Met { .. }), "{at}");
                shown = shown.or(Some(kept));
            } else if found == Found::Met {
                // What is not shown with more stores in order is not shown with fewer.
                assert_eq!(shown, None, "{at}");
            }
        }
        if let Some(smallest) = smallest {
            tally.reached += 1;
            let met = match bounded {
                Bounded::Met { bound, .. } => bound as usize == smallest,
                Bounded::Unreachable => false,
                Bounded::Unknown => true,
            };
            assert!(
                met,
                "seed {seed}: {bounded:?}, but {smallest}: {goal:?}\n{system:#?}"
            );
            reached.push(goal);
            continue;
        }
        match (shown, &bounded) {
            (Some(_), Bounded::Unknown) => tally.proved += 1,
            (None, Bounded::Unknown) => tally.open += 1,
            _ => {}
        }
        let found = invariants_of_pso(&system, goal, shown, &stop);
        let tried = &mut tally.certificates;
        try_all(Model::Pso, &mut numbers, &system, goal, &found, tried);
        proofs.extend(found);
    }
    for goal in reached {
        refuse_all(Model::Pso, &system, goal, &proofs, &mut tally.certificates);
    }
}

#[test]
fn merged_stores() {
    let mut tally = TallyOfPso::default();
    for seed in seeds(40) {
        let shape = Shape {
            threads: 2,
            states: 5,
            locations: 2 + (seed % 2) as usize,
            values: 2 + (seed / 2 % 2) as usize,
            transitions: 7,
            fences: 3,
            barriers: 12,
            likely: 1 + (seed / 4 % 3) as usize,
        };
        compare_under_pso(seed, &shape, 2, &mut tally);
    }
    let tried = &tally.certificates;
    eprintln!(
        "{} systems under pso: {} goals reached, {} shown out of reach though buffers grow, {} open; {} certificates accepted, {} \
         mutilated and {} of other goals refused",
        tally.systems,
        tally.reached,
        tally.proved,
        tally.open,
        tried.accepted,
        tried.mutilated,
        tried.of_other_goals
    );
    assert!(tally.proved > 0 && tally.reached > 0 && tried.of_other_goals > 0);
}

fn chain(events: &[Event]) -> Automaton {
    let mut states: Vec<State> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let transition = Transition {
            event: *event,
            target: StateId(index as u32 + 1),
            span: Span::NOWHERE,
        };
        states.push(State {
            transitions: vec![transition],
            ..State::default()
        });
    }
    states.push(State::default());
    Automaton { states }
}

/// The first thread stores to some locations and finds z still 0; the second sets z and then finds all of them 0. So all these
/// stores wait at once.
#[test]
fn stores_to_several_locations_wait_at_once() {
    let (zero, one) = (Value(0), Value(1));
    for count in 1..=4u16 {
        for fenced in [false, true] {
            let z = Location(count);
            let stored = (0..count).map(Location);
            let mut first: Vec<Event> = stored.clone().map(|l| Event::Write(l, one)).collect();
            first.extend(fenced.then_some(Event::Fence));
            first.push(Event::Read(z, zero));
            let mut second = vec![Event::Write(z, one), Event::Fence];
            second.extend(stored.map(|location| Event::Read(location, zero)));
            let locations = (0..=u32::from(count)).map(|index| LocationValues {
                address: Address::of(ObjectId(index)),
                words: vec![0, 1],
                initial: zero,
            });
            let system = System {
                automata: vec![chain(&first), chain(&second)],
                locations: locations.collect(),
            };
            let goal = Goal {
                controls: vec![
                    Some(StateId(first.len() as u32)),
                    Some(StateId(second.len() as u32)),
                ],
                memory: vec![None; system.locations.len()],
            };
            let stop = Control::default().stop();
            let goals = [goal];
            let mut dual = DualSearch::new(&system, &goals, None).expect("few sequences");
            let mut bounded = BoundedSearch::new(&system, &goals, Buffering::PerThread);
            let (backward, bounded) = (dual.run(MOST, &stop), bounded.run(MOST, &stop));
            if fenced {
                assert_eq!(backward, Backward::Unreachable);
                assert_eq!(bounded, Bounded::Unreachable);
            } else {
                assert_eq!(backward, Backward::Reachable(0));
                let needed = u32::from(count);
                assert!(matches!(bounded, Bounded::Met { bound, .. } if bound == needed));
            }
        }
    }
}
