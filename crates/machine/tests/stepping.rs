//! Random walks over generated programs: steps are taken back exactly, schedules
//! lead where they led, and going everywhere finds the outcomes of the axioms.

use fastrand::Rng;
use machine::{
    Choice, Executable, Machine, Processor, ReorderBoxes, ReplayError, Schedule, State,
    StoreBuffers,
};
use memory::{Buffering, Model};
use oracle::OracleModel;
use oracle::generate::{build, sequence};
use program::{Program, ProgramBuilder, ThreadId, Width, Word};
use std::collections::{BTreeSet, HashSet};

/// Something to do with a machine of either kind.
trait Task {
    fn perform<P: Processor>(&mut self, processor: &P, model: Model);
}

/// Performs a task on both machines, under every model that each runs.
fn on_every_machine(program: &Program, task: &mut impl Task) {
    let executable = || Executable::new(program).expect("generated programs run");
    for model in Model::MACHINES {
        if model.row().buffering != Buffering::Everything {
            task.perform(&StoreBuffers::new(executable(), model, u32::MAX), model);
        }
        task.perform(&ReorderBoxes::new(executable(), model, u32::MAX), model);
    }
}

/// One of the initial states, at random.
fn start<P: Processor>(processor: &P, random: &mut Rng) -> Vec<u32> {
    (0..processor.executable().threads.len())
        .map(|thread| random.usize(..processor.start(thread.into(), false).len()) as u32)
        .collect()
}

/// Walks until nothing is possible any more. Calls `look` before each step.
fn walk<'p, P: Processor>(
    processor: &'p P,
    random: &mut Rng,
    mut look: impl FnMut(&mut Machine<'p, P>),
) -> (Machine<'p, P>, Schedule) {
    let starts = start(processor, random);
    let mut machine = Machine::new(processor, &starts).expect("a first state");
    let mut choices = Vec::new();
    loop {
        look(&mut machine);
        let possible = machine.choices();
        if possible.is_empty() {
            break;
        }
        let choice = possible[random.usize(..possible.len())];
        machine.step(choice, None).expect("a possible step");
        choices.push(choice);
    }
    let schedule = Schedule {
        starts,
        choices,
        repeats_from: None,
    };
    (machine, schedule)
}

struct StepsBack(Rng);

impl Task for StepsBack {
    fn perform<P: Processor>(&mut self, processor: &P, model: Model) {
        walk(processor, &mut self.0, |machine| {
            let before = machine.snapshot();
            for choice in machine.choices() {
                let undo = machine.step(choice, None).expect("a possible step");
                let after = machine.snapshot();
                machine.undo(undo);
                assert_eq!(*machine.state(), before, "{choice:?} under {model}");
                machine.step(choice, None).expect("a possible step");
                assert_eq!(*machine.state(), after, "{choice:?} under {model}");
                machine.restore(before.clone());
            }
        });
    }
}

#[test]
fn every_step_can_be_taken_back() {
    let mut task = StepsBack(Rng::with_seed(1));
    for generated in sequence(11).take(100) {
        on_every_machine(&build(&generated), &mut task);
    }
}

struct WholeWalksBack(Rng);

impl Task for WholeWalksBack {
    fn perform<P: Processor>(&mut self, processor: &P, model: Model) {
        let starts = start(processor, &mut self.0);
        let mut machine = Machine::new(processor, &starts).expect("a first state");
        let first = machine.snapshot();
        let mut undos = Vec::new();
        loop {
            let choices = machine.choices();
            if choices.is_empty() {
                break;
            }
            let choice = choices[self.0.usize(..choices.len())];
            undos.push(machine.step(choice, None).expect("a possible step"));
        }
        for undo in undos.into_iter().rev() {
            machine.undo(undo);
        }
        assert_eq!(*machine.state(), first, "{model}");
    }
}

#[test]
fn whole_walks_can_be_taken_back() {
    let mut task = WholeWalksBack(Rng::with_seed(2));
    for generated in sequence(12).take(100) {
        on_every_machine(&build(&generated), &mut task);
    }
}

struct Replays(Rng);

impl Task for Replays {
    fn perform<P: Processor>(&mut self, processor: &P, model: Model) {
        let (walked, schedule) = walk(processor, &mut self.0, |_| {});
        let (replayed, execution) =
            Machine::replay(processor, &schedule).expect("a schedule that was walked");
        assert_eq!(replayed.state(), walked.state(), "{model}");
        let (_, again) = Machine::replay(processor, &schedule).expect("the same");
        assert_eq!(execution, again);

        // A walk that ends is over: its last step is not possible once more.
        let mut longer = schedule.clone();
        longer.choices.extend(schedule.choices.last());
        if let (Some(_), Err(error)) =
            (schedule.choices.last(), Machine::replay(processor, &longer))
        {
            let step = schedule.choices.len();
            assert_eq!(error, ReplayError::Impossible { step });
        } else {
            assert!(schedule.choices.is_empty(), "{model}");
        }
    }
}

#[test]
fn schedules_lead_where_they_led() {
    let mut task = Replays(Rng::with_seed(3));
    for generated in sequence(13).take(200) {
        on_every_machine(&build(&generated), &mut task);
    }
}

/// Two stores of one thread and a load of another.
fn small() -> Program {
    let mut program = ProgramBuilder::new("small");
    let x = program.object("x", Width::W32, 0);
    let y = program.object("y", Width::W32, 0);
    let mut thread = program.thread();
    thread.store(x, 1u64, Width::W32);
    thread.store(y, 1u64, Width::W32);
    thread.finish();
    let mut thread = program.thread();
    let seen = thread.register("seen", Width::W32);
    thread.load(seen, y, Width::W32);
    thread.finish();
    program.observe_everything();
    program.finish().expect("a well-formed program")
}

struct Refuses;

impl Task for Refuses {
    fn perform<P: Processor>(&mut self, processor: &P, _: Model) {
        let mut machine = Machine::new(processor, &[]).expect("a first state");
        let first = machine.choices()[0];
        let wrong = [
            Choice {
                thread: ThreadId(7),
                ..first
            },
            Choice { way: 99, ..first },
            Choice {
                action: machine::Action {
                    slot: 77,
                    ..first.action
                },
                ..first
            },
        ];
        for choice in wrong {
            assert!(machine.step(choice, None).is_none(), "{choice:?}");
            let schedule = |choices| Schedule {
                choices,
                ..Schedule::default()
            };
            let refused = Machine::replay(processor, &schedule(vec![choice])).err();
            assert_eq!(refused, Some(ReplayError::Impossible { step: 0 }));
            let refused = Machine::replay(processor, &schedule(vec![first, choice])).err();
            assert_eq!(refused, Some(ReplayError::Impossible { step: 1 }));
        }
        // No thread has that many first states.
        let starts = vec![0, 5];
        assert!(Machine::new(processor, &starts).is_none());
        let schedule = Schedule {
            starts,
            ..Schedule::default()
        };
        assert!(Machine::replay(processor, &schedule).is_err());
    }
}

#[test]
fn impossible_steps_are_refused() {
    on_every_machine(&small(), &mut Refuses);
}

/// All outcomes, by going everywhere with one machine that steps and takes back.
struct Everywhere<'a> {
    program: &'a Program,
    found: Vec<(Model, &'static str, BTreeSet<Vec<Word>>)>,
}

impl Task for Everywhere<'_> {
    fn perform<P: Processor>(&mut self, processor: &P, model: Model) {
        let mut seen: HashSet<State<P::Local>> = HashSet::new();
        let mut outcomes = BTreeSet::new();
        let mut open = initial(processor);
        let mut machine = Machine::new(processor, &[]).expect("a first state");
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            machine.restore(state);
            let choices = machine.choices();
            if machine.is_final() {
                assert!(choices.is_empty(), "nothing happens after the end");
                outcomes.insert(machine.outcome(&self.program.observed).0);
            }
            for choice in choices {
                let undo = machine.step(choice, None).expect("a possible step");
                open.push(machine.snapshot());
                machine.undo(undo);
            }
        }
        self.found.push((model, processor.name(), outcomes));
    }
}

/// Every combination of the threads' first states.
fn initial<P: Processor>(processor: &P) -> Vec<State<P::Local>> {
    let threads = 0..processor.executable().threads.len();
    let starts = threads.fold(vec![vec![]], |starts, thread| {
        let ways = processor.start(thread.into(), false).len() as u32;
        starts
            .iter()
            .flat_map(|start| (0..ways).map(move |way| [&start[..], &[way]].concat()))
            .collect()
    });
    let machines = starts.iter().map(|start| Machine::new(processor, start));
    machines
        .map(|machine| machine.expect("a first state").snapshot())
        .collect()
}

#[test]
fn going_everywhere_finds_the_outcomes_of_the_axioms() {
    for (number, generated) in sequence(14).take(100).enumerate() {
        let program = build(&generated);
        let found = Vec::new();
        let mut everywhere = Everywhere {
            program: &program,
            found,
        };
        on_every_machine(&program, &mut everywhere);
        for (model, machine, outcomes) in everywhere.found {
            let axioms = OracleModel::ALL[model as usize];
            let expected = oracle::outcomes(&program, axioms);
            assert_eq!(
                outcomes, expected,
                "program {number}, {machine}, {model}\n{program}"
            );
        }
    }
}
