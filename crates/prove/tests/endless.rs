//! Threads that go on for ever without doing anything that matters: what they did before counts.

mod source;

use answer::Verdict;
use memory::Model;
use program::{Program, Source};
use prove::{Options, prove};
use source::read;

fn is_violated(program: &Program) {
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let result = prove(program, model, &Options::default()).expect("a result");
        assert_eq!(result.verdict, Verdict::Violated, "{model}");
    }
}

/// The first thread stores to x and then does something for ever; the second finds it done.
#[test]
fn a_store_before_an_endless_loop_counts() {
    let loops = [
        ("stores", "for (;;) atomic_store(&nobody_reads, 1);"),
        ("loads", "for (;;) atomic_load(&nobody_writes);"),
        ("nothing", "for (;;) ;"),
    ];
    for (name, endless) in loops {
        let text = format!(
            "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, nobody_reads, nobody_writes;
static void *goes_on(void *arg) {{
    atomic_store(&x, 1);
    {endless}
    return arg;
}}
static void *finds(void *arg) {{
    assert(atomic_load(&x) == 0);
    return arg;
}}
int main(void) {{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, goes_on, 0);
    pthread_create(&threads[1], 0, finds, 0);
    return 0;
}}"
        );
        is_violated(&read(&format!("endless_{name}"), &text));
    }
}

/// The first thread can end, or jump in a circle behind its store, where the second finds it and then ends the first.
#[test]
fn a_store_before_a_jump_in_a_circle_counts() {
    let text = "X86 circle
        { x=0; y=0; }
         P0         | P1          ;
         MOV EAX,[y]| MOV EAX,[x] ;
         CMP EAX,$0 |             ;
         JNE E      |             ;
         MOV [x],$1 |             ;
         L:         |             ;
         JMP L      |             ;
         E:         |             ;
        ~exists (1:EAX=1)";
    let program = frontend::read(&Source::new("circle.litmus", text)).expect("a litmus test");
    let result = prove(&program, Model::Sc, &Options::default()).expect("a result");
    // The first thread never ends, so no final state says anything.
    assert_eq!(result.verdict, Verdict::Undecided);
}
