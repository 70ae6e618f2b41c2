//! Any number of threads: against systems with few copies, on generated automata, and on the programs of `examples/prove`.

#[path = "agreement/generate.rs"]
mod generate;

use control::Control;
use frontend::c::{self, Compiler};
use generate::{Numbers, Shape, system};
use memory::{Buffering, Model};
use prove::automaton::{Automaton, StateId, System, Value};
use prove::bounded::{Action, Bounded, BoundedSearch};
use prove::dual::{AnyNumber, AnyNumberSearch, Backward, DualSearch};
use prove::forward::Views;
use prove::goal::Goal;
use prove::replicate::{CopiesSearch, without_buffers};
use prove::{NotReplicable, Options, Refusal, prove};
use std::path::Path;

/// The system with so many copies of its first automaton.
fn with_copies(system: &System, copies: usize) -> System {
    let mut wider = system.clone();
    for _ in 1..copies {
        wider.automata.push(system.automata[0].clone());
    }
    wider
}

fn at_end(system: &System, thread: usize, back: usize) -> Goal {
    let last = system.automata[thread].states.len() - 1;
    Goal::thread_at(system, thread, StateId((last - back) as u32))
}

/// Whether the goal can be reached with store buffers of any size.
fn is_reachable(system: &System, goal: &Goal) -> bool {
    let stop = Control::default().stop();
    let mut goal = goal.clone();
    goal.controls.resize(system.automata.len(), None);
    let goals = [goal];
    let mut dual = DualSearch::new(system, &goals, None).expect("few sequences");
    match dual.run(1_000_000, &stop) {
        Backward::Reachable(_) => true,
        Backward::Unreachable => false,
        Backward::Unknown => panic!("too large"),
    }
}

/// `FENCEPOST_SEEDS=N` tries N of each shape.
fn seeds(usual: u64) -> u64 {
    let asked = std::env::var("FENCEPOST_SEEDS").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Whether threads go their ways in a run, each from its start to where it stands in the end.
fn is_told(system: &System, met: &Bounded) -> bool {
    let Bounded::Met { run, controls, .. } = met else {
        return false;
    };
    let mut at = vec![Automaton::START; system.automata.len()];
    let possible = run.iter().all(|step| match step.action {
        Action::Take { transition, .. } => {
            let known = system.automata[step.thread].transitions(at[step.thread]);
            at[step.thread] = transition.target;
            known.contains(&transition)
        }
        Action::Flush(..) => true,
    });
    possible && at == *controls
}

/// The number that is reported as the fewest copies reaches the goal, and one copy less does not.
fn the_fewest(system: &System, goal: &Goal) -> Option<usize> {
    let goals = std::slice::from_ref(goal);
    let stop = Control::default().stop();
    let mut search = CopiesSearch::new(system, goals, 0, Buffering::PerThread);
    let met = search.run(3_000, &stop)?;
    let copies = search.copies();
    let what = format!("{copies}: {goal:?}\n{system:#?}");
    let wider = with_copies(system, copies.max(1));
    assert!(is_told(&wider, &met), "{met:?} of {what}");
    let Bounded::Met { controls, .. } = met else {
        panic!("{what}");
    };
    assert!(goal.is_met(|t| controls[t], |_| Value(0)), "{what}");
    assert!(is_reachable(&wider, goal), "{what}");
    if copies > 1 {
        assert!(
            !is_reachable(&with_copies(system, copies - 1), goal),
            "{what}"
        );
    }
    Some(copies)
}

fn compare(shape: &Shape, count: u64) {
    let replicated: Vec<bool> = (0..shape.threads).map(|thread| thread == 0).collect();
    let (mut safe, mut by_views, mut by_many, mut by_fewest, mut open) = (0, 0, 0, 0, 0);
    for seed in 0..count {
        let plain = system(&mut Numbers::new(seed), shape);
        for system in [without_buffers(&plain), plain.clone()] {
            let goals = (0..shape.threads).flat_map(|t| (0..2).map(move |back| (t, back)));
            for (thread, back) in goals {
                let stop = Control::default().stop();
                let goal = at_end(&plain, thread, back);
                let goals = std::slice::from_ref(&goal);
                let views = Views::of(&system, &replicated, goals, 100_000, &stop);
                let run = |views: Option<&Views>| {
                    let search = AnyNumberSearch::new(&system, &replicated, goals, views);
                    search.expect("few sequences").run(3_000, &stop)
                };
                let pruned = run(views.as_ref());
                let all = run(None);
                let what = format!("seed {seed}: {goal:?}\n{system:#?}");
                if views.is_some_and(|views| views.safe) {
                    assert_eq!(pruned, AnyNumber::Unreachable, "{what}");
                    assert!(!matches!(all, AnyNumber::Reachable(_)), "{what}");
                    by_views += 1;
                }
                let reached = |copies| is_reachable(&with_copies(&system, copies), &goal);
                let fewest = the_fewest(&system, &goal);
                by_fewest += usize::from(fewest.is_some_and(|copies| copies > 1));
                if [pruned, all].contains(&AnyNumber::Unreachable) {
                    assert_eq!(fewest, None, "{what}");
                }
                match (pruned, all) {
                    (AnyNumber::Unknown, AnyNumber::Unknown) => open += 1,
                    (AnyNumber::Unreachable, AnyNumber::Unreachable | AnyNumber::Unknown)
                    | (AnyNumber::Unknown, AnyNumber::Unreachable) => {
                        assert!(!(1..=3).any(reached), "{what}");
                        safe += 1;
                    }
                    (
                        AnyNumber::Reachable(copies),
                        AnyNumber::Reachable(_) | AnyNumber::Unknown,
                    )
                    | (AnyNumber::Unknown, AnyNumber::Reachable(copies)) => {
                        assert!(reached(copies.max(1)), "{what}");
                        by_many += usize::from(!reached(1));
                    }
                    different => panic!("{different:?} of {what}"),
                }
            }
        }
    }
    eprintln!(
        "{safe} out of reach ({by_views} by views), {by_many} with two copies or more ({by_fewest} with the fewest), {open} open"
    );
    assert!(safe > by_views && by_views > 0 && by_many > 0 && by_fewest > 0);
}

#[test]
fn one_replicated_thread_and_another() {
    let shape = Shape {
        threads: 2,
        states: 5,
        locations: 2,
        values: 2,
        transitions: 6,
        fences: 6,
        barriers: 0,
        likely: 2,
    };
    compare(&shape, seeds(60));
}

#[test]
fn one_replicated_thread() {
    let shape = Shape {
        threads: 1,
        states: 6,
        locations: 2,
        values: 3,
        transitions: 7,
        fences: 8,
        barriers: 0,
        likely: 2,
    };
    compare(&shape, seeds(100));
}

#[test]
fn systems_without_buffers_are_those_of_sc() {
    let shape = Shape {
        threads: 2,
        states: 5,
        locations: 2,
        values: 2,
        transitions: 7,
        fences: 4,
        barriers: 0,
        likely: 3,
    };
    for seed in 0..seeds(200) {
        let plain = system(&mut Numbers::new(seed), &shape);
        let sequential = without_buffers(&plain);
        for (thread, back) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let stop = Control::default().stop();
            let goals = [at_end(&plain, thread, back)];
            let mut search = BoundedSearch::new(&plain, &goals, Buffering::None);
            let met = matches!(search.run(1_000_000, &stop), Bounded::Met { .. });
            assert_eq!(met, is_reachable(&sequential, &goals[0]), "seed {seed}");
        }
    }
}

fn read(path: &Path, defines: &str) -> program::Program {
    let compiler = Compiler::find(None).expect("a clang");
    let defines = defines.split(' ').filter(|name| *name != "-");
    let options: Vec<String> = defines.map(|name| format!("-D{name}")).collect();
    c::read_c(&[path.to_owned()], &options, Some(&compiler))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn locks_are_decided_for_any_number_of_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/prove");
    let table = std::fs::read_to_string(folder.join("any_number.tsv")).expect("the table");
    for row in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, defines, replicated, model, expected, threads] = columns[..] else {
            panic!("{row}");
        };
        let program = read(&folder.join(file), defines);
        let options = Options {
            replicate: replicated.split(' ').map(str::to_owned).collect(),
            ..Options::default()
        };
        let model: Model = model.parse().expect("a model");
        let result = prove(&program, model, &options).expect("a program for proofs");
        eprintln!("{row}: by {}, {:?}", result.machine, result.time);
        assert_eq!(result.verdict.to_string(), expected, "{row}");
        let said = format!("this takes {threads} threads");
        let takes = result.warnings.iter().any(|w| w.message.contains(&said));
        assert_eq!(takes, threads != "-", "{row}: {:?}", result.warnings);
    }
}

/// What would be the same in all copies, though it is not.
#[test]
fn what_tells_threads_apart_is_refused() {
    let head = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n#include <stddef.h>\n\
                static _Atomic(void *) owner; static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n\
                static atomic_int turn;\n";
    let main =
        "int main(void) { pthread_t t; pthread_create(&t, NULL, worker, NULL); return 0; }\n";
    let joins = "int main(void) { pthread_t t; pthread_create(&t, NULL, worker, NULL); pthread_join(t, NULL); return 0; }\n";
    let cases = [
        (
            "int mine; owner = &mine; assert(owner == &mine);",
            main,
            "the object",
        ),
        (
            "pthread_mutex_lock(&mutex); turn = 1; pthread_mutex_unlock(&mutex);",
            main,
            "pthread_mutex_lock",
        ),
        ("turn = pthread_self() == 1;", main, "pthread_self"),
        (
            "pthread_t t; pthread_create(&t, NULL, other, NULL);",
            main,
            "pthread_create",
        ),
        ("turn = 1;", joins, "pthread_join"),
    ];
    let folder = std::env::temp_dir().join(format!("fencepost-replicate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (index, (body, main, what)) in cases.into_iter().enumerate() {
        let path = folder.join(format!("{index}.c"));
        let other = "static void *other(void *a) { turn = 2; return a; }\n";
        let worker = format!("static void *worker(void *a) {{ {body} return a; }}\n");
        std::fs::write(&path, [head, other, &worker, main].concat()).expect("a file");
        let options = Options {
            replicate: vec!["worker".to_owned()],
            ..Options::default()
        };
        let refused = prove(&read(&path, "-"), Model::Tso, &options);
        let Err(Refusal::NotReplicable(NotReplicable::OfItsOwn(_, found, _))) = refused else {
            panic!("{body}: {refused:?}");
        };
        assert!(found.contains(what), "{body}: {found}");
    }
    std::fs::remove_dir_all(&folder).expect("a folder");
}
