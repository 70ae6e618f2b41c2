//! `eventually` and `always eventually`: small programs where the answer is known,
//! and generated ones with loops, judged by a slower way to the same answer.

mod reading;

use answer::{AccessEvent, Event, Execution, Verdict, Violation};
use memory::{Buffering, Model};
use program::Program;
use reading::{both_machines, litmus, run};
use states::Options;

/// The verdict under every model that both machines give.
fn verdict(program: &Program) -> Verdict {
    let verdicts: Vec<Verdict> = Model::MACHINES
        .into_iter()
        .flat_map(|model| {
            both_machines(&Options::default()).map(|options| run(program, model, &options).verdict)
        })
        .collect();
    assert!(
        verdicts.iter().all(|verdict| *verdict == verdicts[0]),
        "{verdicts:?}"
    );
    verdicts[0]
}

use Verdict::{Holds, Violated};

mod the_end_counts_for_ever {
    use super::*;

    /// One thread that writes 1, then 2, and ends.
    fn writes(property: &str) -> Program {
        litmus(&format!(
            "X86 writes\n{{ }}\n P0 ;\n MOV [x],$1 ;\n MOV [x],$2 ;\n{property}\n"
        ))
    }

    #[test]
    fn an_execution_that_ends_without_it_refutes_eventually() {
        assert_eq!(verdict(&writes("eventually x=3")), Violated);
    }

    #[test]
    fn once_is_enough_for_eventually() {
        assert_eq!(verdict(&writes("eventually x=0")), Holds);
        assert_eq!(verdict(&writes("eventually x=1")), Holds);
        assert_eq!(verdict(&writes("eventually x=2")), Holds);
    }

    #[test]
    fn what_held_only_before_the_end_does_not_hold_again_and_again() {
        assert_eq!(verdict(&writes("always eventually x=1")), Violated);
        assert_eq!(verdict(&writes("always eventually x=2")), Holds);
    }

    #[test]
    fn the_counterexample_stays_at_the_end() {
        let result = run(&writes("eventually x=3"), Model::Tso, &Options::default());
        let execution = result.execution.expect("an execution");
        assert_eq!(execution.repeats_from, Some(execution.steps.len()));
        assert!(matches!(result.violation, Some(Violation::Liveness(_))));
    }

    #[test]
    fn every_thread_comes_to_its_end() {
        assert_eq!(verdict(&writes("eventually P0@end")), Holds);
    }

    #[test]
    fn the_first_property_that_fails_is_named() {
        let program = writes("eventually x=1\nalways eventually x=1\neventually x=3");
        let result = run(&program, Model::Sc, &Options::default());
        let Some(Violation::Liveness(liveness)) = result.violation else {
            panic!("{:?}", result.violation);
        };
        assert_eq!(liveness.to_string(), "always eventually x=1");
    }
}

mod fairness {
    use super::*;

    /// The writer spins for ever after its store, so nothing but fairness makes
    /// the store leave its buffer.
    #[test]
    fn a_store_reaches_memory_in_the_end() {
        let program = litmus(
            "X86 flag\n{ }\n P0 | P1 ;\n MOV [x],$1 | wait: MOV EAX,[x] ;\n\
             spin: JMP spin | CMP EAX,$1 ;\n | JNE wait ;\neventually 1:EAX=1\n",
        );
        assert_eq!(verdict(&program), Holds);
    }

    /// Under PSO stores to another location pass by again and again.
    #[test]
    fn a_store_is_not_passed_by_for_ever() {
        let program = litmus(
            "X86 passing\n{ }\n P0 ;\n MOV [x],$1 ;\n again: MOV [y],$1 ;\n MOV [y],$2 ;\n\
             JMP again ;\neventually x=1\n",
        );
        for options in both_machines(&Options {
            buffer: Some(3),
            reorder_box: Some(3),
            ..Options::default()
        }) {
            for model in Model::MACHINES {
                assert_eq!(run(&program, model, &options).verdict, Holds, "{model}");
            }
        }
    }

    #[test]
    fn a_thread_that_spins_for_ever_is_no_excuse_for_another() {
        let program = litmus(
            "X86 other\n{ }\n P0 | P1 ;\n spin: MOV EAX,[y] | MOV [x],$1 ;\n JMP spin | ;\n\
             eventually x=1\n",
        );
        assert_eq!(verdict(&program), Holds);
    }

    #[test]
    fn a_thread_that_waits_for_nothing_waits_for_ever() {
        let program = litmus(
            "X86 waiting\n{ }\n P0 | P1 ;\n wait: MOV EAX,[y] | MOV [z],$1 ;\n CMP EAX,$1 | ;\n\
             JNE wait | ;\n MOV [x],$1 | ;\neventually x=1\n",
        );
        assert_eq!(verdict(&program), Violated);
    }

    /// Nothing makes the reader look at the right moment.
    #[test]
    fn a_reader_may_miss_a_value_that_comes_and_goes_for_ever() {
        let blink = |property| {
            litmus(&format!(
                "X86 blinking\n{{ }}\n P0 | P1 ;\n on: MOV [x],$1 | wait: MOV EAX,[x] ;\n\
                 MOV [x],$0 | CMP EAX,$1 ;\n JMP on | JNE wait ;\n | MOV [y],$1 ;\n{property}\n"
            ))
        };
        let small = Options {
            buffer: Some(2),
            reorder_box: Some(4),
            ..Options::default()
        };
        for model in Model::MACHINES {
            let verdict = |property| run(&blink(property), model, &small).verdict;
            assert_eq!(verdict("eventually y=1"), Violated, "{model}");
            assert_eq!(verdict("always eventually x=1"), Holds, "{model}");
            assert_eq!(verdict("always eventually x=0"), Holds, "{model}");
        }
    }
}

mod locks {
    use super::*;

    fn spin_lock(property: &str) -> Program {
        litmus(&format!(
            "SPARC lock\nProcessor 0,1\nretry: ldstub [lock], %l0\n tst %l0\n bne retry\n nop\n\
             crit: membar #LoadLoad #LoadStore\n stub #1, [CM(i)]\n stub #0, [CM(i)]\n\
             membar #StoreStore\n stub #0, [lock]\n ba retry\n nop\n{property}\n"
        ))
    }

    #[test]
    fn a_spin_lock_may_starve_one() {
        assert_eq!(verdict(&spin_lock("eventually CM0=1")), Violated);
        assert_eq!(verdict(&spin_lock("eventually CM1=1")), Violated);
    }

    #[test]
    fn a_spin_lock_is_taken_and_given_back_for_ever() {
        assert_eq!(
            verdict(&spin_lock("always eventually (CM0=1 or CM1=1)")),
            Holds
        );
        assert_eq!(verdict(&spin_lock("always eventually lock=0")), Holds);
    }

    #[test]
    fn the_starving_one_goes_on_trying() {
        for model in Model::MACHINES {
            let result = run(&spin_lock("eventually CM0=1"), model, &Options::default());
            let execution = result.execution.expect("a lasso");
            let tour = &execution.steps[execution.repeats_from.expect("a lasso")..];
            for thread in 0..2 {
                let tries = tour
                    .iter()
                    .filter(|step| step.thread.0 == thread)
                    .filter(|step| matches!(&step.event, Event::Access(access) if access.kind == AccessEvent::Update));
                assert!(tries.count() > 0, "P{thread} under {model}");
            }
        }
    }

    /// Tickets are served in order, so everybody's turn comes.
    #[test]
    fn a_ticket_lock_starves_nobody() {
        let program = litmus(
            "X86 tickets\n{ }\n P0 | P1 ;\n MOV EAX,$1 | MOV EAX,$1 ;\n\
             LOCK XADD [next],EAX | LOCK XADD [next],EAX ;\n\
             wait: MOV EBX,[serving] | wait: MOV EBX,[serving] ;\n\
             CMP EBX,EAX | CMP EBX,EAX ;\n JNE wait | JNE wait ;\n\
             INC EBX | INC EBX ;\n MOV [serving],EBX | MOV [serving],EBX ;\n\
             eventually serving=2\neventually P0@end\neventually P1@end\n",
        );
        // Every step is a state here, so larger boxes have many.
        let small = Options {
            reorder_box: Some(4),
            ..Options::default()
        };
        for model in Model::MACHINES {
            for options in both_machines(&small) {
                assert_eq!(run(&program, model, &options).verdict, Holds, "{model}");
            }
        }
    }
}

/// The strongly connected parts of the search against the fixed point of Emerson
/// and Lei, on a graph built by stepping the machine.
mod generated {
    use super::*;
    use machine::{Executable, Machine, Processor, ReorderBoxes, State, StoreBuffers};
    use oracle::generate::{GeneratedProgram, Statement, build, sequence};
    use program::{
        Address, BlockId, Comparison, Formula, Liveness, ObservedLocation, Position, Property,
        Span, StateView, Term, Terminator, ThreadId, UpdateOp,
    };
    use std::collections::{BTreeSet, HashMap};

    /// Entries of buffers and boxes.
    const SMALL: u32 = 2;

    fn options() -> Options {
        Options {
            buffer: Some(SMALL),
            reorder_box: Some(SMALL),
            ..Options::default()
        }
    }

    /// A kind of progress of a thread.
    type Kind = (u32, u32);

    struct Node {
        formula_holds: bool,
        /// The kind of progress that each step makes, and where it leads.
        steps: Vec<(Option<Kind>, usize)>,
    }

    /// All states, the first being the initial one.
    fn graph<P: Processor>(processor: &P, formula: &Formula) -> Vec<Node> {
        let mut machine = Machine::new(processor, &[]).expect("a first state");
        let mut numbers: HashMap<State<P::Local>, usize> = HashMap::new();
        let mut states = vec![machine.snapshot()];
        numbers.insert(machine.snapshot(), 0);
        let mut nodes = Vec::new();
        while nodes.len() < states.len() {
            machine.restore(states[nodes.len()].clone());
            let mut steps = Vec::new();
            for choice in machine.choices() {
                let undo = machine.step(choice, None).expect("a possible step");
                let target = *numbers.entry(machine.snapshot()).or_insert_with(|| {
                    states.push(machine.snapshot());
                    states.len() - 1
                });
                let kind = choice.action.progress.map(|kind| (choice.thread.0, kind));
                steps.push((kind, target));
                machine.undo(undo);
            }
            nodes.push(Node {
                formula_holds: formula.evaluate(&machine) == Some(true),
                steps,
            });
        }
        nodes
    }

    /// The states from which a fair execution goes on for ever without the
    /// formula: the largest set of states without it from each of which, for each
    /// kind of progress, a walk in the set leads to where the kind is made or is
    /// not possible.
    fn forever_without(graph: &[Node]) -> BTreeSet<usize> {
        let possible = |state: usize| graph[state].steps.iter().filter_map(|(kind, _)| *kind);
        let kinds: BTreeSet<Kind> = (0..graph.len()).flat_map(possible).collect();
        let mut set: BTreeSet<usize> = (0..graph.len())
            .filter(|&state| !graph[state].formula_holds)
            .collect();
        loop {
            let before = set.len();
            // At an end nothing is possible, and the execution stays.
            set = steps_into(graph, &set, |_, _| true);
            for &kind in &kinds {
                let mut good = steps_into(graph, &set, |state, made| {
                    made == Some(kind) || possible(state).all(|other| other != kind)
                });
                loop {
                    let longer = steps_into(graph, &good, |_, _| true);
                    let longer: BTreeSet<usize> = longer.intersection(&set).copied().collect();
                    if longer.is_subset(&good) {
                        break;
                    }
                    good.extend(longer);
                }
                set = good;
            }
            if set.len() == before {
                return set;
            }
        }
    }

    /// The states of the graph without the formula that have a wanted step into `set`,
    /// and the ends that are in it.
    fn steps_into(
        graph: &[Node],
        set: &BTreeSet<usize>,
        wanted: impl Fn(usize, Option<Kind>) -> bool,
    ) -> BTreeSet<usize> {
        let leads = |&state: &usize| {
            let node = &graph[state];
            let end = node.steps.is_empty() && set.contains(&state);
            let mut steps = node.steps.iter();
            !node.formula_holds
                && (end || steps.any(|(kind, to)| set.contains(to) && wanted(state, *kind)))
        };
        (0..graph.len()).filter(leads).collect()
    }

    /// Whether every fair execution satisfies the property.
    fn judge<P: Processor>(processor: &P, liveness: &Liveness) -> Verdict {
        let graph = graph(processor, &liveness.property.formula);
        let bad = forever_without(&graph);
        let mut reached = BTreeSet::from([0]);
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            if graph[state].formula_holds && !liveness.repeatedly {
                continue;
            }
            if bad.contains(&state) {
                return Violated;
            }
            for &(_, target) in &graph[state].steps {
                if reached.insert(target) {
                    open.push(target);
                }
            }
        }
        Holds
    }

    fn judged(program: &Program, model: Model, liveness: &Liveness) -> Verdict {
        let executable = Executable::new(program).expect("a program that the machines run");
        match model.row().buffering {
            Buffering::Everything => judge(&ReorderBoxes::new(executable, model, SMALL), liveness),
            _ => judge(&StoreBuffers::new(executable, model, SMALL), liveness),
        }
    }

    /// Values stay small and addresses known.
    fn is_tame(statement: &Statement) -> bool {
        use Statement::*;
        match statement {
            LoadIndirect { .. } | StoreIndirect { .. } => false,
            Update { operation, .. } => *operation == UpdateOp::Exchange,
            _ => true,
        }
    }

    /// Generated programs whose threads, but not always all of them, start again
    /// instead of ending.
    fn looping() -> impl Iterator<Item = Program> {
        sequence(5)
            .filter(|generated| generated.threads.len() == 2 && generated.accesses() <= 6)
            .filter(|generated| generated.threads.iter().flatten().all(is_tame))
            .enumerate()
            .map(|(number, generated)| {
                let mut program = build(&GeneratedProgram {
                    array: false,
                    ..generated
                });
                for (thread, function) in program.functions.iter_mut().enumerate() {
                    let loops = number % 3 != thread;
                    for block in function.blocks.iter_mut().filter(|_| loops) {
                        if matches!(block.terminator, Terminator::Return(_)) {
                            block.terminator = Terminator::Jump(BlockId(0));
                        }
                    }
                }
                program
            })
    }

    /// Properties of memory, and of a register if `registers`.
    fn properties(program: &Program, registers: bool) -> Vec<Liveness> {
        let x = Term::Value(program.observable_cell(0.into(), 0));
        let y = Term::Value(program.observable_cell((program.objects.len() - 1).into(), 0));
        let r = Term::Value(program.observable_register(1.into(), 0.into()));
        let formula =
            |comparison, a: &Term, b: &Term| Formula::Compare(comparison, a.clone(), b.clone());
        let number = Term::Number;
        let mut formulas = vec![
            formula(Comparison::Equal, &x, &number(1)),
            formula(Comparison::Equal, &y, &number(2)),
            formula(Comparison::NotEqual, &x, &number(0)),
            formula(Comparison::NotEqual, &x, &y),
        ];
        if registers {
            formulas.push(formula(Comparison::Equal, &r, &number(1)));
        }
        let liveness = |formula: &Formula, repeatedly| Liveness {
            repeatedly,
            property: Property {
                formula: formula.clone(),
                span: Span::NOWHERE,
            },
        };
        let both = |formula| [liveness(formula, false), liveness(formula, true)];
        formulas.iter().flat_map(both).collect()
    }

    /// Counts of (holds, violated).
    fn compare(programs: impl Iterator<Item = Program>, model: Model) -> (usize, usize) {
        let (mut holds, mut violated) = (0, 0);
        for mut program in programs {
            for liveness in properties(&program, model == Model::Sc) {
                program.properties.liveness = vec![liveness.clone()];
                let result = run(&program, model, &options());
                let expected = judged(&program, model, &liveness);
                assert_eq!(result.verdict, expected, "{model}\n{program}");
                if expected == Holds {
                    holds += 1;
                } else {
                    violated += 1;
                    check_lasso(&program, &liveness, &result.execution.expect("a lasso"));
                }
            }
        }
        (holds, violated)
    }

    /// Memory along an execution.
    #[derive(Clone, PartialEq, Debug)]
    struct Memory(HashMap<Address, u64>);

    impl Memory {
        fn at_the_start(program: &Program) -> Self {
            let objects = program.objects.iter().enumerate();
            // Generated objects have one cell each.
            let cells = objects.map(|(id, object)| (Address::of(id.into()), object.initial[0]));
            Memory(cells.collect())
        }
    }

    /// Registers are not known.
    impl StateView for Memory {
        fn value(&self, location: ObservedLocation) -> Option<u64> {
            match location {
                ObservedLocation::Memory(address) => self.0.get(&address).copied(),
                ObservedLocation::Observation | ObservedLocation::Register(..) => None,
            }
        }

        fn at(&self, _: ThreadId, _: &Position) -> Option<bool> {
            None
        }
    }

    /// The lasso comes back to the memory where it starts to repeat, and never
    /// satisfies the formula: not at all for `eventually`, not on its tour for
    /// `always eventually`.
    fn check_lasso(program: &Program, liveness: &Liveness, execution: &Execution) {
        let start = execution.repeats_from.expect("a lasso");
        let mut memory = Memory::at_the_start(program);
        let mut at_start = None;
        for index in 0..=execution.steps.len() {
            if index == start {
                at_start = Some(memory.clone());
            }
            if index >= start || !liveness.repeatedly {
                let holds = liveness.property.formula.evaluate(&memory);
                assert_ne!(holds, Some(true), "step {index}\n{program}");
            }
            let event = execution.steps.get(index).map(|step| &step.event);
            let Some(Event::Access(access)) = event else {
                continue;
            };
            let written = match access.kind {
                AccessEvent::Commit => Some(&access.value),
                AccessEvent::Update => access.written.as_ref(),
                AccessEvent::Load | AccessEvent::Forward | AccessEvent::Buffer => None,
            };
            if let (Some(location), Some(written)) = (access.cell(), written) {
                memory.0.insert(location, written.word);
            }
        }
        assert_eq!(at_start, Some(memory), "{program}");
    }

    #[test]
    fn loops_under_every_model_are_judged_alike() {
        for (model, programs) in [
            (Model::Sc, 60),
            (Model::Tso, 40),
            (Model::Pso, 40),
            (Model::Rmo, 20),
        ] {
            let (holds, violated) = compare(looping().take(programs), model);
            assert!(
                holds > programs && violated > programs,
                "{model}: {holds}, {violated}"
            );
        }
    }
}
