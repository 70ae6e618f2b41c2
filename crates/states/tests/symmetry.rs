//! Counting states once that differ only by identical threads changing places
//! loses nothing: the same outcomes and the same verdicts, with fewer states.

mod reading;

use answer::Verdict;
use memory::Model;
use oracle::generate::{GeneratedProgram, Statement, build, sequence};
use program::{
    Address, Comparison, Formula, InstructionKind, Object, ObjectId, Operand, Program, Property,
    Span, Term, ThreadId, Width,
};
use reading::{both_machines, litmus, run};
use states::Options;

fn with_symmetry() -> Options {
    Options {
        stop_at_violation: false,
        explain: false,
        ..Options::default()
    }
}

fn without_symmetry() -> Options {
    Options {
        symmetry: false,
        ..with_symmetry()
    }
}

/// Compares the search with symmetry and without, under every model on both
/// machines. Returns how many states each has seen in all.
fn compare(program: &Program) -> (u64, u64) {
    let (mut reduced, mut full) = (0, 0);
    for model in Model::MACHINES {
        let searches = both_machines(&with_symmetry())
            .into_iter()
            .zip(both_machines(&without_symmetry()));
        for (with, without) in searches {
            let (with, without) = (run(program, model, &with), run(program, model, &without));
            assert_eq!(with.outcomes, without.outcomes, "{model}\n{program}");
            assert_eq!(with.observation, without.observation, "{model}\n{program}");
            assert_eq!(with.verdict, without.verdict, "{model}\n{program}");
            assert_eq!(with.violation, without.violation, "{model}\n{program}");
            assert!(
                with.counts.states <= without.counts.states,
                "{model}\n{program}"
            );
            reduced += with.counts.states;
            full += without.counts.states;
        }
    }
    (reduced, full)
}

/// A statement that handles no address as a value: programs with such values
/// are not reduced.
fn is_direct(statement: &Statement) -> bool {
    use Statement::*;
    !matches!(statement, LoadIndirect { .. } | StoreIndirect { .. })
}

/// Generated threads of two or three accesses, with a number of copies to make.
fn threads() -> impl Iterator<Item = (GeneratedProgram, usize)> {
    let programs = sequence(3).flat_map(|generated| {
        let threads = generated.threads.clone().into_iter();
        threads.map(move |thread| GeneratedProgram {
            threads: vec![thread],
            ..generated.clone()
        })
    });
    programs
        .filter(|generated| generated.threads[0].iter().all(is_direct))
        .filter(|generated| (2..=3).contains(&generated.accesses()))
        .enumerate()
        .map(|(number, generated)| (generated, 2 + number % 2))
}

fn copies(generated: &GeneratedProgram, count: usize) -> Program {
    build(&GeneratedProgram {
        threads: vec![generated.threads[0].clone(); count],
        array: false,
        ..generated.clone()
    })
}

/// Gives each thread a place of its own instead of the last one of the program.
fn with_own_places(mut program: Program) -> Program {
    let shared = ObjectId::from(program.objects.len() - 1);
    for thread in 0..program.threads.len() {
        let own = ObjectId::from(program.objects.len());
        program.objects.push(Object {
            name: format!("own{thread}"),
            ..program.objects[shared.index()].clone()
        });
        let function = program.threads[thread].function;
        for block in &mut program.functions[function.index()].blocks {
            for instruction in &mut block.instructions {
                use InstructionKind::*;
                if let Load { address, .. }
                | Store { address, .. }
                | Update { address, .. }
                | CompareExchange { address, .. } = &mut instruction.kind
                    && *address == Operand::Address(Address::of(shared))
                {
                    *address = Operand::Address(Address::of(own));
                }
            }
        }
        program.observed.push(program.observable_cell(own, 0));
    }
    program.validate().expect("a well-formed program");
    program
}

/// [`threads`] for programs with invariants on registers, which make every step of
/// every thread a state of its own.
fn few_threads() -> impl Iterator<Item = (GeneratedProgram, usize)> {
    threads().filter(|(generated, count)| generated.accesses() * count <= 6)
}

/// `thread`'s register number `register` never has this value.
fn never(program: &Program, thread: usize, register: usize, value: i128) -> Property {
    let observable = program.observable_register(thread.into(), register.into());
    Property {
        formula: Formula::Compare(
            Comparison::NotEqual,
            Term::Value(observable),
            Term::Number(value),
        ),
        span: Span::NOWHERE,
    }
}

#[test]
fn copies_of_generated_threads_lose_nothing() {
    let (mut reduced, mut full) = (0, 0);
    for (generated, count) in threads().take(60) {
        let sizes = compare(&copies(&generated, count));
        reduced += sizes.0;
        full += sizes.1;
    }
    assert!(reduced * 2 < full, "{reduced} of {full} states");
}

#[test]
fn threads_with_places_of_their_own_lose_nothing() {
    let (mut reduced, mut full) = (0, 0);
    for (generated, count) in threads().skip(60).take(60) {
        let sizes = compare(&with_own_places(copies(&generated, count)));
        reduced += sizes.0;
        full += sizes.1;
    }
    assert!(reduced * 2 < full, "{reduced} of {full} states");
}

#[test]
fn invariants_that_treat_all_threads_alike_lose_nothing() {
    for (number, (generated, count)) in few_threads().take(40).enumerate() {
        let mut program = copies(&generated, count);
        let value = 1 + number as i128 % 2;
        let invariants = (0..count).map(|thread| never(&program, thread, 0, value));
        program.properties.invariants = invariants.collect();
        compare(&program);
    }
}

#[test]
fn invariants_that_tell_threads_apart_lose_nothing() {
    for (number, (generated, count)) in few_threads().skip(40).take(40).enumerate() {
        let mut program = copies(&generated, count);
        let value = 1 + number as i128 % 2;
        program.properties.invariants = vec![never(&program, count - 1, 0, value)];
        compare(&program);
    }
}

#[test]
fn registers_observed_in_some_threads_only_are_right() {
    for (number, (generated, count)) in threads().skip(120).take(40).enumerate() {
        let mut program = copies(&generated, count);
        program.observed = (0..count)
            .map(|thread| {
                program.observable_register(thread.into(), ((number + thread) % 2).into())
            })
            .collect();
        compare(&program);
        program.observed.truncate(1);
        compare(&program);
    }
}

/// Three processors that each take a number.
const TICKETS: &str = "X86 tickets\n{ }\n\
    P0              | P1              | P2              ;\n\
    MOV EAX,$1      | MOV EAX,$1      | MOV EAX,$1      ;\n\
    LOCK XADD [x],EAX | LOCK XADD [x],EAX | LOCK XADD [x],EAX ;\n";

#[test]
fn all_orders_of_the_outcomes_are_listed() {
    let program = litmus(&format!("{TICKETS}locations [0:EAX; 1:EAX; 2:EAX;]\n"));
    let result = run(&program, Model::Tso, &with_symmetry());
    let outcomes: Vec<Vec<u64>> = result.outcomes.into_iter().map(|o| o.0).collect();
    let all = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    assert_eq!(outcomes, all);
    let (reduced, full) = compare(&program);
    assert!(reduced < full);
}

#[test]
fn a_condition_on_one_of_the_threads_is_counted_in_all_orders() {
    let program = litmus(&format!("{TICKETS}exists (2:EAX=0 /\\ 0:EAX=1)\n"));
    let result = run(&program, Model::Tso, &with_symmetry());
    let observation = result.observation.expect("a condition");
    assert_eq!((observation.positive, observation.negative), (1, 5));
    compare(&program);
}

#[test]
fn an_invariant_that_only_the_last_thread_breaks_is_found_broken() {
    let program = litmus(&format!("{TICKETS}invariant not (2:EAX=2 /\\ P2@end)\n"));
    for options in both_machines(&Options::default()) {
        let result = run(&program, Model::Rmo, &options);
        assert_eq!(result.verdict, Verdict::Violated);
    }
    compare(&program);
}

#[test]
fn an_observer_that_tells_two_threads_apart_forbids_exchanging_them() {
    let observed = litmus(
        "X86 observed\n{ }\n P0 | P1 | P2 ;\n\
         MOV [a],$1 | MOV [b],$1 | MOV EAX,[a] ;\n MOV [a],$2 | MOV [b],$2 | ;\n\
         exists (2:EAX=1 /\\ b=2)\n",
    );
    let (reduced, full) = compare(&observed);
    assert_eq!(reduced, full);
    let unobserved = litmus(
        "X86 unobserved\n{ }\n P0 | P1 | P2 ;\n\
         MOV [a],$1 | MOV [b],$1 | MOV EAX,[c] ;\n MOV [a],$2 | MOV [b],$2 | ;\n\
         exists (2:EAX=0 /\\ b=2)\n",
    );
    let (reduced, full) = compare(&unobserved);
    assert!(reduced < full);
}

#[test]
fn threads_that_start_with_different_registers_are_not_exchanged() {
    let program = litmus(
        "X86 different\n{ 0:EBX=1; 1:EBX=2; }\n P0 | P1 ;\n\
         MOV [x],EBX | MOV [x],EBX ;\n MOV EAX,[x] | MOV EAX,[x] ;\n\
         locations [x;]\nexists (0:EAX=1 /\\ 1:EAX=2)\n",
    );
    let (reduced, full) = compare(&program);
    assert_eq!(reduced, full);
}

#[test]
fn places_that_start_differently_are_not_exchanged() {
    let text = |b| {
        format!(
            "X86 own\n{{ a=0; b={b}; }}\n P0 | P1 ;\n MOV EAX,[a] | MOV EAX,[b] ;\n\
             MOV [x],EAX | MOV [x],EAX ;\nlocations [0:EAX; 1:EAX; x;]\n"
        )
    };
    let (reduced, full) = compare(&litmus(&text(1)));
    assert_eq!(reduced, full);
    let (reduced, full) = compare(&litmus(&text(0)));
    assert!(reduced < full);
}

#[test]
fn labels_in_invariants_change_places_with_their_threads() {
    let lock = "SPARC lock\nProcessor 0..2\nretry: ldstub [lock], %l0\n tst %l0\n bne retry\n nop\n\
                crit: stub #0, [lock]\n";
    let alike = litmus(&format!(
        "{lock}invariant not (P0@crit and P1@crit)\n\
         invariant not (P0@crit and P2@crit)\ninvariant not (P1@crit and P2@crit)\n"
    ));
    let (reduced, full) = compare(&alike);
    assert!(reduced < full);
    let apart = litmus(&format!("{lock}invariant not P2@crit\n"));
    assert_eq!(
        run(&apart, Model::Tso, &Options::default()).verdict,
        Verdict::Violated
    );
    compare(&apart);
}

/// Of two states that differ by an exchange, one breaks the invariant: whichever
/// stands for both, the invariant must be found broken.
#[test]
fn invariants_that_tell_own_places_apart_are_found_broken() {
    for (first, second) in [("a", "b"), ("b", "a")] {
        let program = litmus(&format!(
            "X86 own\n{{ }}\n P0 | P1 ;\n MOV [a],$1 | MOV [b],$1 ;\n\
             invariant not ({first}=0 and {second}=1)\n"
        ));
        let result = run(&program, Model::Tso, &Options::default());
        assert_eq!(result.verdict, Verdict::Violated);
        compare(&program);
    }
}

#[test]
fn invariants_that_tell_labels_apart_are_found_broken() {
    for (first, second) in [(0, 1), (1, 0)] {
        let program = litmus(&format!(
            "SPARC two\nProcessor 0,1\n st #1, [x]\nlast: st #2, [x]\n\
             invariant not (P{first}@last and P{second}@end)\n"
        ));
        let result = run(&program, Model::Tso, &Options::default());
        assert_eq!(result.verdict, Verdict::Violated);
        compare(&program);
    }
}

#[test]
fn two_kinds_of_threads_are_exchanged_each_among_its_own() {
    let program = litmus(
        "X86 two kinds\n{ }\n P0 | P1 | P2 | P3 ;\n\
         MOV [x],$1 | MOV EAX,[x] | MOV [x],$1 | MOV EAX,[x] ;\n\
         MOV EAX,[y] | MOV [y],EAX | MOV EAX,[y] | MOV [y],EAX ;\n\
         locations [x; y; 0:EAX; 1:EAX; 2:EAX; 3:EAX;]\n",
    );
    let (reduced, full) = compare(&program);
    // One kind alone could at most halve them.
    assert!(reduced * 2 < full, "{reduced} of {full} states");
}

#[test]
fn own_places_read_in_a_condition_are_right() {
    let program = litmus(
        "X86 own\n{ }\n P0 | P1 ;\n MOV EAX,$1 | MOV EAX,$1 ;\n\
         LOCK XADD [x],EAX | LOCK XADD [x],EAX ;\n MOV [a],EAX | MOV [b],EAX ;\n\
         exists (a=1 /\\ b=0)\n",
    );
    let result = run(&program, Model::Pso, &with_symmetry());
    assert_eq!(result.outcomes.len(), 2);
    assert_eq!(result.verdict, Verdict::Holds);
    let (reduced, full) = compare(&program);
    assert!(reduced < full);
}

/// The address of a thread's place is a value here: exchanging threads would
/// have to exchange such values too.
#[test]
fn threads_that_store_addresses_of_their_places_are_not_exchanged() {
    let mut program = program::ProgramBuilder::new("addresses");
    let shared = program.object("shared", Width::W64, 0);
    for name in ["a", "b"] {
        let own = program.object(name, Width::W64, 0);
        let mut thread = program.thread();
        let r = thread.register("r", Width::W64);
        thread.store(own, 1u64, Width::W64);
        thread.store(shared, own, Width::W64);
        thread.load(r, shared, Width::W64);
        thread.finish();
    }
    program.observe_everything();
    let program = program.finish().expect("a well-formed program");
    assert_eq!(program.function_of(ThreadId(0)).registers.len(), 1);
    let (reduced, full) = compare(&program);
    assert_eq!(reduced, full);
}
