//! What is found does not depend on the number of workers, nor on how states are
//! packed.

mod reading;

use answer::{ModelResult, Verdict};
use memory::Model;
use program::{Program, ProgramBuilder, Width};
use reading::{litmus, printed, run};
use states::Options;

/// `n` threads and `n` places: thread *i* writes 1 to place *i*, then 2 to the next.
fn ring(n: usize) -> ProgramBuilder {
    let mut program = ProgramBuilder::new("ring");
    let places: Vec<_> = (0..n)
        .map(|place| program.object(&format!("x{place}"), Width::W32, 0))
        .collect();
    for thread in 0..n {
        let mut function = program.thread();
        function.store(places[thread], 1u64, Width::W32);
        function.store(places[(thread + 1) % n], 2u64, Width::W32);
        function.finish();
    }
    program.observe_everything();
    program
}

fn with_jobs(program: &Program, model: Model, options: &Options) -> [ModelResult; 3] {
    [1, 2, 3].map(|jobs| {
        let options = Options {
            jobs,
            ..options.clone()
        };
        run(program, model, &options)
    })
}

/// Compares everything but time and bytes.
fn assert_same(results: &[ModelResult]) {
    for other in &results[1..] {
        let first = &results[0];
        assert_eq!(first.counts.states, other.counts.states);
        assert_eq!(first.counts.transitions, other.counts.transitions);
        assert_eq!(first.counts.depth, other.counts.depth);
        assert_eq!(first.outcomes, other.outcomes);
        assert_eq!(first.observation, other.observation);
        assert_eq!(first.verdict, other.verdict);
        assert_eq!(first.violation, other.violation);
        assert_eq!(first.execution, other.execution);
    }
}

#[test]
fn any_number_of_workers_sees_the_same_states() {
    let program = ring(6).finish().expect("a well-formed program");
    let options = Options {
        symmetry: false,
        ..Options::default()
    };
    let results = with_jobs(&program, Model::Pso, &options);
    assert!(results[0].counts.states > 10_000, "{:?}", results[0].counts);
    assert_same(&results);
}

#[test]
fn any_number_of_workers_finds_the_same_violation() {
    let mut program = ring(7);
    let invariant = |program: &ProgramBuilder, places: std::ops::Range<usize>| {
        let is_one = places.map(|place| {
            let observable = program.program().observable_cell(place.into(), 0);
            program::Formula::Compare(
                program::Comparison::Equal,
                program::Term::Value(observable),
                program::Term::Number(1),
            )
        });
        program::Property {
            formula: program::Formula::Not(Box::new(program::Formula::And(is_one.collect()))),
            span: program::Span::NOWHERE,
        }
    };
    // Broken deep in the search, and at one distance from the start.
    let invariants = vec![invariant(&program, 0..6), invariant(&program, 1..7)];
    program.properties().invariants = invariants;
    let program = program.finish().expect("a well-formed program");
    for symmetry in [false, true] {
        let options = Options {
            symmetry,
            ..Options::default()
        };
        let results = with_jobs(&program, Model::Pso, &options);
        assert!(results[0].counts.states > 10_000, "{:?}", results[0].counts);
        assert_eq!(results[0].verdict, Verdict::Violated);
        assert_same(&results);
    }
}

/// Which of several identical processors comes first is a matter of numbering,
/// which workers race for.
#[test]
fn any_number_of_workers_sees_the_same_states_with_symmetry() {
    let column = "MOV EAX,$1 ; LOCK XADD [x],EAX ; MOV [own],EAX ; MOV EBX,[x] ; MOV [own],EBX";
    let threads = 4;
    let lines: Vec<String> = column
        .split(" ; ")
        .map(|line| {
            let cells = (0..threads).map(|thread| line.replace("own", &format!("own{thread}")));
            format!(" {} ;\n", cells.collect::<Vec<_>>().join(" | "))
        })
        .collect();
    let names: Vec<String> = (0..threads).map(|thread| format!("P{thread}")).collect();
    let pairs = (0..threads).flat_map(|a| (0..a).map(move |b| (b, a)));
    let invariants = pairs.map(|(a, b)| format!("invariant not (own{a}=4 and own{b}=3 and x=4)\n"));
    let invariants: String = invariants.collect();
    let program = litmus(&format!(
        "X86 own\n{{ }}\n {} ;\n{}{}",
        names.join(" | "),
        lines.concat(),
        invariants
    ));
    let go_on = Options {
        stop_at_violation: false,
        ..Options::default()
    };
    for options in [Options::default(), go_on] {
        let results = with_jobs(&program, Model::Tso, &options);
        assert!(results[0].counts.states > 10_000, "{:?}", results[0].counts);
        assert_same(&results);
    }
}

/// Each place ends as 1 or 2. Under TSO not all of them as 1: each thread's first
/// store would have come after the second store of the thread before it.
#[test]
fn rings_have_all_their_outcomes_however_many_threads() {
    for n in 2..=7 {
        let program = ring(n).finish().expect("a well-formed program");
        let count = |model| run(&program, model, &Options::default()).outcomes.len();
        assert_eq!(count(Model::Sc), (1 << n) - 1, "{n} threads under SC");
        assert_eq!(count(Model::Tso), (1 << n) - 1, "{n} threads under TSO");
        assert_eq!(count(Model::Pso), 1 << n, "{n} threads under PSO");
        if n <= 6 {
            assert_eq!(count(Model::Rmo), 1 << n, "{n} threads under RMO");
        }
    }
}

/// One thread with more local states, and a memory with more contents, than the
/// fields have numbers that a key first gives to each of eight components.
#[test]
fn components_of_many_kinds_lose_no_outcome() {
    let mut text = String::from("object x: i32 = 0\n");
    for thread in 1..7 {
        text += &format!("object y{thread}: i32 = 0\n");
    }
    text +=
        "fn P0() {\n  register a: i32\nentry:\n  a = choose 300\n  store i32 &x, a\n  return\n}\n";
    for thread in 1..7 {
        text += &format!("fn P{thread}() {{\nentry:\n  store i32 &y{thread}, 1\n  return\n}}\n");
    }
    for thread in 0..7 {
        text += &format!("thread {thread}: P{thread} runs P{thread}\n");
    }
    let program = printed(&(text + "observe x\nobserve 0:a\n"));
    for model in [Model::Tso, Model::Rmo] {
        let outcomes = run(&program, model, &Options::default()).outcomes;
        let expected: Vec<Vec<u64>> = (0..300).map(|value| vec![value, value]).collect();
        assert_eq!(
            outcomes.into_iter().map(|o| o.0).collect::<Vec<_>>(),
            expected
        );
    }
}

/// Keys of this many threads take several words, and identical ones have too many
/// orders to go through.
#[test]
fn many_threads_lose_no_outcome() {
    let threads = 24;
    let mut program = ProgramBuilder::new("many");
    let x = program.object("x", Width::W64, 0);
    for thread in 0..threads {
        let mut function = program.thread();
        let seen = function.register("seen", Width::W64);
        // Every thread but the last two ends without touching memory.
        if thread >= threads - 2 {
            function.load(seen, x, Width::W64);
            function.store(x, thread as u64, Width::W64);
        }
        function.finish();
    }
    program.observe_everything();
    let program = program.finish().expect("a well-formed program");
    let outcomes = run(&program, Model::Sc, &Options::default()).outcomes;
    // Loads and stores of two threads: either one after the other, or both read 0.
    assert_eq!(outcomes.len(), 4);
}
