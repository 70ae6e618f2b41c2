//! What the search says of conditions, filters, invariants, assertions and bad
//! accesses, with which execution, and how far it vouches for it.

mod reading;

use answer::{AccessEvent, Bound, Event, Execution, ModelResult, Outcome, Verdict, Violation};
use control::Control;
use memory::Model;
use program::{Program, Source, Span, ThreadId};
use reading::{both_machines, litmus, printed, run};
use states::Options;
use std::sync::atomic::Ordering;

/// Store buffering, with `ending` for what must hold.
fn store_buffering(ending: &str) -> Program {
    litmus(&format!(
        "X86 SB\n{{ x=0; y=0; }}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n\
         MOV EAX,[y] | MOV EAX,[x] ;\n{ending}\n"
    ))
}

/// The same result from both machines.
fn result(program: &Program, model: Model) -> ModelResult {
    let [first, second] = both_machines(&Options::default()).map(|o| run(program, model, &o));
    assert_eq!(first.verdict, second.verdict);
    assert_eq!(first.violation, second.violation);
    assert_eq!(first.outcomes, second.outcomes);
    assert_eq!(first.observation, second.observation);
    first
}

fn verdict(program: &Program, model: Model) -> Verdict {
    result(program, model).verdict
}

use Verdict::{Holds, Undecided, Violated};

mod conditions {
    use super::*;

    const BOTH_ZERO: &str = r"(0:EAX=0 /\ 1:EAX=0)";

    #[test]
    fn exists_asks_for_one_final_state() {
        let program = store_buffering(&format!("exists {BOTH_ZERO}"));
        let under_sc = result(&program, Model::Sc);
        assert_eq!(under_sc.verdict, Violated);
        assert_eq!(under_sc.violation, Some(Violation::NoWitness));
        assert_eq!(under_sc.execution, None);
        assert_eq!(under_sc.observation.map(|o| o.word()), Some("Never"));
        for model in [Model::Tso, Model::Pso, Model::Rmo] {
            let weak = result(&program, model);
            assert_eq!((weak.verdict, weak.violation), (Holds, None));
            let observation = weak.observation.expect("a condition");
            assert_eq!((observation.positive, observation.negative), (1, 3));
            assert!(weak.execution.is_some(), "a witness");
        }
    }

    #[test]
    fn not_exists_forbids_every_such_state() {
        let program = store_buffering(&format!("~exists {BOTH_ZERO}"));
        assert_eq!(verdict(&program, Model::Sc), Holds);
        let under_tso = result(&program, Model::Tso);
        assert_eq!(under_tso.verdict, Violated);
        let both_zero = Violation::FinalState(Outcome(vec![0, 0]));
        assert_eq!(under_tso.violation, Some(both_zero));
    }

    #[test]
    fn forall_asks_for_all_final_states() {
        let program = store_buffering(r"forall (0:EAX=1 \/ 1:EAX=1)");
        let under_sc = result(&program, Model::Sc);
        assert_eq!(under_sc.verdict, Holds);
        assert_eq!(under_sc.observation.map(|o| o.word()), Some("Always"));
        let under_tso = result(&program, Model::Tso);
        let both_zero = Violation::FinalState(Outcome(vec![0, 0]));
        assert_eq!(under_tso.violation, Some(both_zero));
        assert_eq!(under_tso.observation.map(|o| o.word()), Some("Sometimes"));
    }

    #[test]
    fn the_filter_takes_final_states_out_before_anything_is_asked() {
        let program = store_buffering("locations [1:EAX;]\nfilter 0:EAX=1\nforall (0:EAX=1)");
        let filtered = result(&program, Model::Tso);
        assert_eq!(filtered.verdict, Holds);
        let outcomes: Vec<Vec<u64>> = filtered.outcomes.into_iter().map(|o| o.0).collect();
        assert_eq!(outcomes, [[1, 0], [1, 1]]);
    }

    #[test]
    fn the_filter_may_leave_no_final_state() {
        let exists = store_buffering("filter x=7\nexists (x=1)");
        assert_eq!(verdict(&exists, Model::Tso), Violated);
        let forall = store_buffering("filter x=7\nforall (x=2)");
        assert_eq!(verdict(&forall, Model::Tso), Undecided);
    }

    #[test]
    fn every_thread_of_a_final_state_is_at_its_end() {
        let program = store_buffering(r"forall (P0@end /\ P1@end)");
        assert_eq!(verdict(&program, Model::Rmo), Holds);
    }
}

mod executions {
    use super::*;

    fn goal(program: &Program, text: &str) -> program::Formula {
        frontend::formula(&Source::new("goal", text), program).expect("a condition")
    }

    /// The values that an execution's loads saw, by thread.
    fn loads(execution: &Execution) -> Vec<(u32, u64)> {
        let seen = execution.steps.iter().filter_map(|step| match &step.event {
            Event::Access(access)
                if matches!(access.kind, AccessEvent::Load | AccessEvent::Forward) =>
            {
                Some((step.thread.0, access.value.word))
            }
            _ => None,
        });
        seen.collect()
    }

    #[test]
    fn every_outcome_has_an_execution_whose_loads_saw_it() {
        let program = store_buffering(r"exists (0:EAX=0 /\ 1:EAX=0)");
        for model in Model::MACHINES {
            for options in both_machines(&Options::default()) {
                for outcome in run(&program, model, &options).outcomes {
                    let text = format!("0:EAX={} and 1:EAX={}", outcome.0[0], outcome.0[1]);
                    let goal = goal(&program, &text);
                    let found = states::execution_to(&program, model, &options, &goal);
                    let execution = found.expect("the machine runs it").expect("no limit");
                    let execution = execution.expect("an execution");
                    let mut seen = loads(&execution);
                    seen.sort_unstable();
                    assert_eq!(seen, [(0, outcome.0[0]), (1, outcome.0[1])]);
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_has_no_execution() {
        let program = store_buffering("");
        let goal = goal(&program, "0:EAX=0 and 1:EAX=0");
        let found = states::execution_to(&program, Model::Sc, &Options::default(), &goal);
        assert_eq!(found.expect("the machine runs it"), Ok(None));
    }

    #[test]
    fn the_goal_may_speak_of_registers_that_are_not_observed() {
        let program = store_buffering("exists (x=1)");
        let goal = goal(&program, "0:EAX=1 and 1:EAX=1");
        let found = states::execution_to(&program, Model::Tso, &Options::default(), &goal);
        let execution = found.expect("the machine runs it").expect("no limit");
        let execution = execution.expect("an execution");
        let mut seen = loads(&execution);
        seen.sort_unstable();
        assert_eq!(seen, [(0, 1), (1, 1)]);
    }

    #[test]
    fn witnesses_are_shortest_executions() {
        let program = store_buffering(r"exists (0:EAX=0 /\ 1:EAX=0)");
        let witness = run(&program, Model::Tso, &Options::default()).execution;
        // Each thread's store into the buffer, its load, and its store to memory.
        assert_eq!(witness.expect("a witness").steps.len(), 6);
    }

    #[test]
    fn without_explain_there_is_no_execution_of_a_final_state() {
        let program = store_buffering(r"~exists (0:EAX=0 /\ 1:EAX=0)");
        let options = Options {
            explain: false,
            ..Options::default()
        };
        let result = run(&program, Model::Tso, &options);
        assert_eq!((result.verdict, result.execution), (Violated, None));
    }
}

mod invariants {
    use super::*;

    #[test]
    fn over_memory() {
        let program = store_buffering("invariant not (x=1 and y=1)");
        for model in Model::MACHINES {
            let result = result(&program, model);
            assert!(matches!(result.violation, Some(Violation::Invariant(_))));
            let execution = result.execution.expect("an execution that shows it");
            let last = execution.steps.last().map(|step| &step.event);
            assert!(
                matches!(last, Some(Event::Access(access)) if access.kind == AccessEvent::Commit && access.value.word == 1),
                "{last:?}"
            );
        }
        let program = store_buffering("invariant x<=1 and y<=1");
        assert!(
            Model::MACHINES
                .iter()
                .all(|model| verdict(&program, *model) == Holds)
        );
    }

    #[test]
    fn over_registers_of_several_threads() {
        // Registers start as 0, so the loads must have been made to tell.
        let program = store_buffering("invariant not (P0@end and P1@end and 0:EAX=0 and 1:EAX=0)");
        assert_eq!(verdict(&program, Model::Sc), Holds);
        for model in [Model::Tso, Model::Pso, Model::Rmo] {
            assert_eq!(verdict(&program, model), Violated);
        }
    }

    #[test]
    fn over_registers_on_the_way() {
        let program = litmus(
            "X86 passing\n{ }\n P0 ;\n MOV EAX,$1 ;\n MOV EAX,$2 ;\n MOV [x],EAX ;\n\
             invariant 0:EAX!=1\n",
        );
        assert!(
            Model::MACHINES
                .iter()
                .all(|model| verdict(&program, *model) == Violated)
        );
    }

    /// A lock that tests and sets in two steps lets both in.
    #[test]
    fn over_labels() {
        let lock = |take: &str| {
            litmus(&format!(
                "SPARC lock\nProcessor 0,1\nretry: {take}\n tst %l0\n bne retry\n nop\n\
                 crit: st #0, [lock]\ninvariant not (P0@crit and P1@crit)\n"
            ))
        };
        let two_steps = lock("ld [lock], %l0\n st #1, [lock]");
        let one_step = lock("mov #1, %l0\n swap [lock], %l0");
        for model in Model::MACHINES {
            assert_eq!(verdict(&two_steps, model), Violated, "{model}");
            assert_eq!(verdict(&one_step, model), Holds, "{model}");
        }
    }

    #[test]
    fn the_first_broken_one_is_named() {
        let program = store_buffering("invariant x<=1\ninvariant y=0\ninvariant x=0 or y=0");
        let Some(Violation::Invariant(formula)) = result(&program, Model::Sc).violation else {
            panic!("no broken invariant");
        };
        assert_eq!(formula.to_string(), "y=0");
    }

    #[test]
    fn a_broken_invariant_comes_before_the_condition() {
        let program = store_buffering("exists (x=1)\ninvariant x=0");
        let result = result(&program, Model::Tso);
        assert!(matches!(result.violation, Some(Violation::Invariant(_))));
    }
}

mod failures {
    use super::*;

    #[test]
    fn an_assertion_fails_where_a_model_lets_it() {
        let program = printed(
            "object x: i32 = 0\nobject y: i32 = 0\n\
             fn P0() {\nentry:\n  store i32 &x, 1\n  store i32 &y, 1\n  return\n}\n\
             fn P1() {\n  register a, b: i32\n  register ok: i1\nentry:\n\
               a = load i32 &y\n  b = load i32 &x\n  ok = ule i32 a, b\n\
               assert ok @9:1+2\n  return\n}\n\
             thread 0: P0 runs P0\nthread 1: P1 runs P1\n",
        );
        for model in [Model::Sc, Model::Tso] {
            assert_eq!(verdict(&program, model), Holds);
        }
        for model in [Model::Pso, Model::Rmo] {
            let result = result(&program, model);
            let expected = Violation::Assertion {
                thread: ThreadId(1),
                span: Span::new(9, 1, 2),
            };
            assert_eq!(result.violation, Some(expected));
            let execution = result.execution.expect("an execution that shows it");
            let last = execution.steps.last().map(|step| &step.event);
            assert_eq!(last, Some(&Event::AssertFailed));
        }
    }

    /// The assertion behind the branch fails only if the branch goes the wrong way.
    #[test]
    fn speculation_fails_no_assertion() {
        let program = printed(
            "object x: i32 = 0\n\
             fn P0() {\n  register a: i32\nentry:\n  a = load i32 &x\n\
               branch a, wrong, right\nwrong:\n  assert 0\n  return\nright:\n  return\n}\n\
             thread 0: P0 runs P0\n",
        );
        for model in Model::MACHINES {
            assert_eq!(verdict(&program, model), Holds);
        }
    }

    #[test]
    fn an_assumption_takes_executions_away() {
        let program = |condition: &str| {
            printed(&format!(
                "object x: i32 = 0\nfn P0() {{\nentry:\n  store i32 &x, 1\n  return\n}}\n\
                 fn P1() {{\n  register a: i32\n  register ok: i1\nentry:\n  a = load i32 &x\n\
                   ok = eq i32 a, {condition}\n  assume ok\n  return\n}}\n\
                 thread 0: P0 runs P0\nthread 1: P1 runs P1\nobserve 1:a\nforall 1:a=1\n"
            ))
        };
        for model in Model::MACHINES {
            let one = result(&program("1"), model);
            assert_eq!((one.verdict, one.outcomes), (Holds, vec![Outcome(vec![1])]));
            assert_eq!(verdict(&program("0"), model), Violated);
            // Nothing is left, and that is no deadlock.
            let none = result(&program("7"), model);
            assert_eq!((none.verdict, none.outcomes.len()), (Undecided, 0));
        }
    }

    #[test]
    fn choices_are_all_made() {
        let program = printed(
            "object x: i32 = 0\nfn P0() {\n  register a, b: i32\nentry:\n  a = choose 3\n\
               store i32 &x, a\n  b = choose 2\n  return\n}\n\
             thread 0: P0 runs P0\nobserve x\nobserve 0:b\nexists x=2 /\\ 0:b=1\n",
        );
        for model in Model::MACHINES {
            let result = result(&program, model);
            assert_eq!((result.verdict, result.outcomes.len()), (Holds, 6));
            let execution = result.execution.expect("a witness");
            let chosen = execution.steps.iter().filter_map(|step| match step.event {
                Event::Choose { value } => Some(value),
                _ => None,
            });
            assert_eq!(chosen.collect::<Vec<u64>>(), [2, 1]);
        }
    }

    #[test]
    fn an_address_that_is_none_is_a_bad_access() {
        let program = litmus(
            "X86 bad\n{ 0:EBX=5; }\n P0 | P1 ;\n MOV EAX,[x] | MOV [x],$1 ;\n\
             MOV [EBX],$1 | ;\nexists (x=1)\n",
        );
        for model in Model::MACHINES {
            let result = result(&program, model);
            let Some(Violation::BadAccess {
                thread,
                span,
                address,
            }) = result.violation
            else {
                panic!("{:?}", result.violation);
            };
            assert_eq!((thread, address), (ThreadId(0), 5));
            assert_eq!(program.source.excerpt(span), "MOV [EBX],$1");
            let execution = result.execution.expect("an execution that shows it");
            let last = execution.steps.last().map(|step| &step.event);
            assert_eq!(last, Some(&Event::BadAccess { address: 5 }));
        }
    }

    #[test]
    fn an_access_of_another_width_is_a_bad_access() {
        let program = printed(
            "object x: i32 = 0\nfn P0() {\n  register p, a: i64\nentry:\n  a = load i64 p\n\
               return\n}\nthread 0: P0 runs P0 with p = &x\n",
        );
        for model in Model::MACHINES {
            let violation = result(&program, model).violation;
            assert!(matches!(violation, Some(Violation::BadAccess { .. })));
        }
    }

    /// Behind a wrongly predicted branch any address may turn up.
    #[test]
    fn speculation_makes_no_bad_access() {
        let program = printed(
            "object x: i32 = 0\n\
             fn P0() {\n  register a, b: i32\nentry:\n  a = load i32 &x\n\
               branch a, wrong, right\nwrong:\n  b = load i32 5\n  return\nright:\n  return\n}\n\
             thread 0: P0 runs P0\n",
        );
        for model in Model::MACHINES {
            assert_eq!(verdict(&program, model), Holds);
        }
    }

    #[test]
    fn a_failure_is_found_although_others_never_end() {
        let program = printed(
            "object x: i32 = 0\nfn P0() {\nentry:\n  jump entry\n}\n\
             fn P1() {\nentry:\n  store i32 &x, 1\n  assert 0\n  return\n}\n\
             thread 0: P0 runs P0\nthread 1: P1 runs P1\n",
        );
        for model in Model::MACHINES {
            let violation = result(&program, model).violation;
            assert!(matches!(violation, Some(Violation::Assertion { .. })));
        }
    }
}

mod bounds {
    use super::*;

    /// Two stores to different places in a loop that has no end.
    fn endless_stores(ending: &str) -> Program {
        litmus(&format!(
            "X86 endless\n{{ }}\n P0 | P1 ;\n top: MOV [x],$1 | MOV EAX,[y] ;\n\
             MOV [y],$1 | MOV EBX,[x] ;\n JMP top | ;\n{ending}\n"
        ))
    }

    #[test]
    fn a_loop_that_fills_the_buffer_says_what_is_covered() {
        let options = Options {
            buffer: Some(2),
            ..Options::default()
        };
        let program = endless_stores("invariant x<=1");
        let result = run(&program, Model::Tso, &options);
        assert_eq!(result.verdict, Holds);
        assert_eq!(result.bounds, [Bound::StoreBuffer(2)]);
        assert_eq!(result.covers(), "store buffers of at most 2 entries");
        // SC has no buffer to fill.
        assert_eq!(run(&program, Model::Sc, &options).covers(), "everything");
    }

    #[test]
    fn a_loop_that_fills_the_box_says_what_is_covered() {
        let options = Options {
            reorder_box: Some(3),
            ..Options::default()
        };
        let result = run(&endless_stores("invariant x<=1"), Model::Rmo, &options);
        assert_eq!(result.verdict, Holds);
        assert_eq!(result.covers(), "reorder boxes of at most 3 entries");
    }

    #[test]
    fn buffers_that_never_fill_up_cut_nothing_off() {
        let options = Options {
            buffer: Some(1),
            ..Options::default()
        };
        let program = store_buffering(r"exists (0:EAX=0 /\ 1:EAX=0)");
        assert_eq!(run(&program, Model::Tso, &options).covers(), "everything");
    }

    /// The third store leaves the buffer before the first two only if all three
    /// fit in.
    #[test]
    fn no_witness_under_a_bound_decides_nothing() {
        let program = litmus(
            "X86 three\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[z] ;\n\
             MOV [y],$1 | MOV EBX,[y] ;\n MOV [z],$1 | MOV ECX,[x] ;\n\
             exists (1:EAX=1 /\\ 1:EBX=0 /\\ 1:ECX=0)\n",
        );
        let small = Options {
            buffer: Some(2),
            ..Options::default()
        };
        let result = run(&program, Model::Pso, &small);
        assert_eq!((result.verdict, result.violation), (Undecided, None));
        assert_eq!(result.bounds, [Bound::StoreBuffer(2)]);
        assert_eq!(
            run(&program, Model::Pso, &Options::default()).verdict,
            Holds
        );
        // Under TSO nothing is found either way, but only the full buffer tells.
        assert_eq!(run(&program, Model::Tso, &small).verdict, Undecided);
        assert_eq!(
            run(&program, Model::Tso, &Options::default()).verdict,
            Violated
        );
    }

    #[test]
    fn a_violation_found_under_a_bound_is_one() {
        let program = endless_stores("invariant not (1:EAX=1 and 1:EBX=0 and P1@end)");
        let options = Options {
            buffer: Some(2),
            ..Options::default()
        };
        let result = run(&program, Model::Pso, &options);
        assert_eq!(result.verdict, Violated);
    }

    #[test]
    fn too_many_states_decide_nothing() {
        let program = store_buffering("forall (x=1)");
        let options = Options {
            control: Control::default().with_states(Some(3)),
            ..Options::default()
        };
        for model in Model::MACHINES {
            let result = run(&program, model, &options);
            assert_eq!((result.verdict, result.violation), (Undecided, None));
            assert!(
                matches!(result.bounds[..], [Bound::States(3..)]),
                "{:?}",
                result.bounds
            );
        }
    }

    #[test]
    fn a_violation_found_before_the_search_stopped_is_one() {
        let program = store_buffering("invariant x=0");
        let go_on = Options {
            stop_at_violation: false,
            ..Options::default()
        };
        let all = run(&program, Model::Tso, &go_on);
        let options = Options {
            control: Control::default().with_states(Some(all.counts.states - 1)),
            ..go_on
        };
        let stopped = run(&program, Model::Tso, &options);
        assert!(matches!(stopped.bounds[..], [Bound::States(_)]));
        assert_eq!(stopped.verdict, Violated);
        assert!(stopped.execution.is_some());
    }

    #[test]
    fn an_interrupted_search_decides_nothing() {
        for ending in [
            "exists (x=1)",
            "forall (x=1)",
            "invariant x<=1",
            "eventually x=1",
        ] {
            let program = store_buffering(ending);
            let options = Options::default();
            options.control.interrupt.store(true, Ordering::Relaxed);
            let result = run(&program, Model::Tso, &options);
            assert_eq!(result.verdict, Undecided, "{ending}");
            assert!(matches!(result.bounds[..], [Bound::Interrupted(_)]));
        }
    }

    #[test]
    fn an_interrupted_search_makes_up_no_counterexample() {
        let program = store_buffering("eventually x=2");
        let options = Options::default();
        options.control.interrupt.store(true, Ordering::Relaxed);
        assert_eq!(run(&program, Model::Tso, &options).verdict, Undecided);
    }
}

mod deadlock {
    use super::*;

    /// A lock that is never given back: the other never gets it, but spins.
    #[test]
    fn spinning_is_no_deadlock() {
        let program = litmus(
            "SPARC stuck\nProcessor 0,1\nretry: ldstub [lock], %l0\n tst %l0\n bne retry\n nop\n\
             forall (lock=255)\n",
        );
        for model in Model::MACHINES {
            let result = result(&program, model);
            assert_eq!(result.violation, None);
            assert_eq!((result.verdict, result.outcomes.len()), (Undecided, 0));
        }
    }
}
