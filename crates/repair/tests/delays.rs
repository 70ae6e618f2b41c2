//! What is out of order in an execution, and that the fences which are named forbid it.

use answer::{ModelResult, Verdict};
use check::{Check, Question};
use memory::Model;
use program::{Program, Source};
use std::sync::Arc;

fn read(text: &str) -> Arc<Program> {
    let program = frontend::read(&Source::new("test.litmus", text));
    Arc::new(program.unwrap_or_else(|error| panic!("{error:?}")))
}

fn check(program: &Arc<Program>, model: Model) -> ModelResult {
    let result = Check::default().run(program, model);
    result.unwrap_or_else(|refused| panic!("{refused:?}"))
}

/// The line of each delayed access, that of the access which overtakes it, and the fence.
fn delays(text: &str, model: Model) -> Vec<(u32, u32, String)> {
    let program = read(text);
    let result = check(&program, model);
    assert_eq!(result.verdict, Verdict::Violated);
    let execution = result.execution.expect("an execution");
    let line = |step: usize| execution.steps[step].span.line;
    let delays = repair::delays(&program, &execution, model).into_iter();
    delays
        .map(|delay| (line(delay.earlier), line(delay.later), delay.fence))
        .collect()
}

fn holds(text: &str, model: Model) -> bool {
    check(&read(text), model).verdict == Verdict::Holds
}

const STORE_BUFFERING: &str = "X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
~exists (0:EAX=0 /\\ 1:EAX=0)";

#[test]
fn both_stores_of_store_buffering_are_delayed() {
    let fence = "MFENCE".to_owned();
    let expected = vec![(4, 5, fence.clone()), (4, 5, fence)];
    assert_eq!(delays(STORE_BUFFERING, Model::Tso), expected);
    let fenced = STORE_BUFFERING.replace(" MOV EAX,[y]", " MFENCE | MFENCE ;\n MOV EAX,[y]");
    assert!(holds(&fenced, Model::Tso));
}

#[test]
fn a_fence_of_the_program_is_no_delay() {
    let half = "X86 half
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MFENCE      |             ;
 MOV EAX,[y] | MOV EAX,[x] ;
~exists (0:EAX=0 /\\ 1:EAX=0)";
    assert_eq!(delays(half, Model::Tso), [(4, 6, "MFENCE".to_owned())]);
    assert!(holds(
        &half.replace("|             ;", "| MFENCE ;"),
        Model::Tso
    ));
}

#[test]
fn stores_overtake_each_other_under_pso() {
    let message = "X86 MP
{ x=0; y=0; }
 P0         | P1          ;
 MOV [x],$1 | MOV EAX,[y] ;
 MOV [y],$1 | MOV EBX,[x] ;
~exists (1:EAX=1 /\\ 1:EBX=0)";
    assert_eq!(delays(message, Model::Pso), [(4, 5, "SFENCE".to_owned())]);
}

#[test]
fn an_execution_of_sequential_consistency_has_none() {
    let lost = "X86 lost
{ x=0; }
 P0          | P1          ;
 MOV EAX,[x] | MOV EAX,[x] ;
 INC EAX     | INC EAX     ;
 MOV [x],EAX | MOV [x],EAX ;
forall (x=2)";
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        assert_eq!(delays(lost, model), []);
    }
}
