//! Programs without finite automata are refused, with what grows and what to do.

mod source;

use memory::Model;
use program::{Program, Source};
use prove::{Options, Refusal, prove};
use source::read;

/// What is said of a program where no solver helps.
fn refused(program: &Program) -> Refusal {
    let options = Options {
        beyond_finite: false,
        ..Options::default()
    };
    prove(program, Model::Tso, &options).expect_err("a refusal")
}

#[test]
fn a_location_that_grows_is_named() {
    let text = "#include <stdatomic.h>
atomic_int tickets;
int main(void) {
    for (;;)
        atomic_fetch_add(&tickets, 1);
}";
    let program = read("tickets", text);
    let diagnostic = refused(&program).diagnostic(&program);
    assert_eq!(
        diagnostic.message,
        "no proof: tickets holds more than 300 values"
    );
    assert_eq!(diagnostic.span.line, 5);
    assert!(
        diagnostic
            .help
            .is_some_and(|help| help.contains("unsigned char"))
    );
}

#[test]
fn a_byte_is_finite() {
    let text = "#include <stdatomic.h>
atomic_uchar tickets;
int main(void) {
    for (;;)
        atomic_fetch_add(&tickets, 1);
}";
    let program = read("byte", text);
    let result = prove(&program, Model::Tso, &Options::default()).expect("a result");
    assert_eq!(result.verdict, answer::Verdict::Holds);
}

#[test]
fn an_increment_that_happens_once_is_finite() {
    let text = "X86 inc
        { x=0; }
         P0      | P1      ;
         INC [x] | INC [x] ;
        exists (x=1)";
    let program = frontend::read(&Source::new("inc.litmus", text)).expect("a test");
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let result = prove(&program, model, &Options::default()).expect("a result");
        assert_eq!(result.verdict, answer::Verdict::Holds);
    }
}

#[test]
fn a_counter_that_grows_is_named() {
    let text = "#include <stdatomic.h>
atomic_uchar flag;
int main(void) {
    for (unsigned rounds = 0;; rounds++)
        if (atomic_load(&flag))
            atomic_store(&flag, rounds & 1);
        else
            atomic_store(&flag, rounds & 2);
}";
    let program = read("counter", text);
    let refusal = refused(&program);
    let diagnostic = refusal.diagnostic(&program);
    assert!(diagnostic.message.contains("states"), "{diagnostic}");
    assert!(diagnostic.span.line >= 4, "{diagnostic}");
    assert!(diagnostic.label.contains("rounds"), "{diagnostic}");
}

#[test]
fn what_is_not_supported_is_refused() {
    let text = "#include <fencepost.h>
int main(void) {
    fp_atomic_begin();
    fp_atomic_end();
    return 0;
}";
    let program = read("atomic", text);
    assert!(matches!(refused(&program), Refusal::NotFlat(_)));
    let sc = prove(&program, Model::Rmo, &Options::default());
    assert_eq!(sc.expect_err("a refusal"), Refusal::Model(Model::Rmo));
}

/// A search among symbolic traces that a limit ends says which location makes it necessary.
#[test]
fn what_is_not_decided_says_what_grows() {
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint sequence;
static void *writer(void *arg) {
    for (;;) atomic_store(&sequence, atomic_load(&sequence) + 2);
    return arg;
}
static void *reader(void *arg) {
    for (;;) assert(atomic_load(&sequence) % 2 == 0);
    return arg;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    return 0;
}";
    let program = source::read("sequence", text);
    let options = Options {
        control: control::Control {
            max_states: Some(1),
            ..control::Control::default()
        },
        ..Options::default()
    };
    let result = prove(&program, Model::Sc, &options).expect("a result");
    assert_eq!(result.verdict, answer::Verdict::Undecided);
    let said = result.warnings.iter().find(|warning| {
        warning.message.starts_with("sequence holds more than") && warning.span.line == 6
    });
    assert!(said.is_some(), "{:?}", result.warnings);
}
