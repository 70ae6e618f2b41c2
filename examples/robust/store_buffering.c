/*
 * Store buffering, Fig. 1(b) of Burckhardt and Musuvathi. Each thread writes one place and
 * reads the other; under SC, who comes second sees the first.
 *
 * FENCED: a fence in both threads, between the store and the load.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FENCED
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int x, y;
static int seen_by_second;

static void *second_thread(void *arg) {
    (void)arg;
    store(&y, 1);
    fence();
    seen_by_second = load(&x);
    return NULL;
}

int main(void) {
    pthread_t second;
    pthread_create(&second, NULL, second_thread, NULL);
    store(&x, 1);
    fence();
    int seen_by_first = load(&y);
    pthread_join(second, NULL);
    assert(seen_by_first || seen_by_second);
    return 0;
}
