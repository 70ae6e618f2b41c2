//! What a thread does before an assumption of its fails counts.

mod source;

use answer::Verdict;
use memory::Model;
use program::Program;
use prove::{Options, prove};
use source::read;

/// The first thread does something to x and gets stuck; the second finds it done.
fn program(name: &str, counter: &str, done: &str) -> Program {
    let text = format!(
        "#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static atomic_uint count;
static void *stuck(void *arg) {{
    int never = atomic_load(&y);
    {done};
    fp_assume(never);
    return arg;
}}
static void *finds(void *arg) {{
    {counter};
    assert(atomic_load(&x) == 0);
    return arg;
}}
int main(void) {{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, stuck, 0);
    pthread_create(&threads[1], 0, finds, 0);
    return 0;
}}"
    );
    read(name, &text)
}

#[test]
fn a_write_before_an_assumption_that_fails_counts() {
    let endless = "while (fp_choose(2)) atomic_fetch_add(&count, 1)";
    let relaxed = "atomic_store_explicit(&x, 1, memory_order_relaxed)";
    let writes = [relaxed, "atomic_fetch_add(&x, 1)"];
    for (number, done) in writes.into_iter().enumerate() {
        // With finite data, and without.
        for (kind, counter) in [("finite", ""), ("endless", endless)] {
            let program = program(&format!("{kind}{number}"), counter, done);
            for model in [Model::Sc, Model::Tso] {
                let result = prove(&program, model, &Options::default()).expect("a result");
                assert_eq!(
                    result.verdict,
                    Verdict::Violated,
                    "{kind}: {done} under {model}"
                );
            }
        }
    }
}

#[test]
fn a_read_before_an_assumption_that_fails_does_nothing() {
    let program = program("read", "", "atomic_load(&x)");
    let result = prove(&program, Model::Tso, &Options::default()).expect("a result");
    assert_eq!(result.verdict, Verdict::Holds);
}
