//! Locations that count up and down, with threads that have too many states to be taken together.

mod source;

use answer::Verdict;
use memory::Model;
use prove::{Options, prove};
use source::read;

/// The bakery for three threads with numbers up to `MOST`; `inside` counts those in the critical section.
fn bakery(name: &str, fence: &str) -> program::Program {
    let text = format!(
        "#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
enum {{ THREADS = 3, MOST = 2 }};
static atomic_uchar choosing[THREADS], number[THREADS];
static atomic_int inside;
#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_release)
static void *customer(void *arg) {{
    int me = (int)(long)arg;
    for (;;) {{
        STORE(choosing[me], 1);
        {fence}
        unsigned char most = 0;
        for (int other = 0; other < THREADS; other++) {{
            unsigned char theirs = LOAD(number[other]);
            if (theirs > most) most = theirs;
        }}
        fp_assume(most < MOST);
        STORE(number[me], most + 1);
        {fence}
        STORE(choosing[me], 0);
        {fence}
        for (int other = 0; other < THREADS; other++) {{
            if (other == me) continue;
            while (LOAD(choosing[other])) ;
            unsigned char theirs;
            do theirs = LOAD(number[other]);
            while (theirs != 0 && (theirs < LOAD(number[me]) || (theirs == LOAD(number[me]) && other < me)));
        }}
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        STORE(number[me], 0);
    }}
    return arg;
}}
int main(void) {{
    pthread_t thread;
    for (long i = 0; i < THREADS; i++) pthread_create(&thread, 0, customer, (void *)i);
    return 0;
}}"
    );
    read(name, &text)
}

#[test]
fn a_counter_of_threads_inside_has_few_values() {
    let fenced = bakery(
        "fenced_bakery",
        "atomic_thread_fence(memory_order_seq_cst);",
    );
    let unfenced = bakery("unfenced_bakery", "");
    let verdict = |program, model| {
        let result = prove(program, model, &Options::default()).expect("a result");
        (result.verdict, result.covers() == "everything")
    };
    assert_eq!(verdict(&fenced, Model::Sc), (Verdict::Holds, true));
    assert_eq!(verdict(&fenced, Model::Pso), (Verdict::Holds, true));
    assert_eq!(verdict(&unfenced, Model::Tso).0, Verdict::Violated);
    assert_eq!(verdict(&unfenced, Model::Pso).0, Verdict::Violated);
}

/// The last of two threads that arrive finds 1, which neither finds alone; what it does then is only there if the first has counted down.
#[test]
fn what_happens_after_counting_down_is_not_lost() {
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count = 2, released;
static void *arrives(void *arg) {
    if (atomic_fetch_sub(&count, 1) == 1) {
        atomic_store(&count, 2);
        atomic_store(&released, 1);
    } else {
        while (atomic_load(&released) != 1) ;
        assert(0);
    }
    return arg;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, arrives, 0);
    return 0;
}";
    let program = read("arrives", text);
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let result = prove(&program, model, &Options::default()).expect("a result");
        assert_eq!(result.verdict, Verdict::Violated, "{model}");
    }
}

/// What is written under a lock is one more than what was read, and 0 again before the lock is given back.
#[test]
fn a_counter_under_a_lock_has_few_values_for_any_number_of_threads() {
    for (name, cleared, expected) in [
        ("cleared", "owner = 0;", Verdict::Holds),
        ("cleared_late", "", Verdict::Violated),
    ] {
        let text = format!(
            "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag held = ATOMIC_FLAG_INIT;
static int owner;
static void *worker(void *arg) {{
    for (;;) {{
        while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire)) ;
        owner++;
        assert(owner == 1);
        {cleared}
        atomic_flag_clear_explicit(&held, memory_order_release);
    }}
    return arg;
}}
int main(void) {{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}}"
        );
        let options = Options {
            replicate: vec!["worker".to_owned()],
            ..Options::default()
        };
        let program = read(name, &text);
        for model in [Model::Sc, Model::Tso] {
            let result = prove(&program, model, &options).expect("a result");
            assert_eq!(result.verdict, expected, "{name} under {model}");
        }
    }
}
