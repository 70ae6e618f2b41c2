/*
 * Szymanski's lock (B. K. Szymanski, A simple solution to Lamport's concurrent
 * programming problem with linear wait, 1988), with two threads. All who have come in
 * through the door are served before it opens again.
 *
 * TSO: a store-load fence after wanting in, before the other is looked at, and one after
 *      entering the doorway, before it is looked at again. With two threads the two later
 *      changes of the flag need none.
 * PSO: a store-store fence before the flag goes down, or the lock is free before the work
 *      is visible.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(TSO_FENCES) || defined(PSO_FENCES)
#define store_load() atomic_thread_fence(memory_order_seq_cst)
#else
#define store_load() ((void)0)
#endif

#ifdef PSO_FENCES
#define store_store() atomic_thread_fence(memory_order_release)
#else
#define store_store() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

enum { OUT, WANTS_IN, WAITS_FOR_OTHERS, IN_DOORWAY, INSIDE };

static atomic_int flag[2];
static atomic_int counter;

static void lock(int me) {
    int other = 1 - me;
    store(&flag[me], WANTS_IN);
    store_load();
    while (load(&flag[other]) >= IN_DOORWAY)
        ;
    store(&flag[me], IN_DOORWAY);
    store_load();
    if (load(&flag[other]) == WANTS_IN) {
        store(&flag[me], WAITS_FOR_OTHERS);
        while (load(&flag[other]) != INSIDE)
            ;
    }
    store(&flag[me], INSIDE);
    if (other < me)
        while (load(&flag[other]) > WANTS_IN)
            ;
}

static void unlock(int me) {
    int other = 1 - me;
    int theirs;
    if (other > me)
        while ((theirs = load(&flag[other])) == WAITS_FOR_OTHERS || theirs == IN_DOORWAY)
            ;
    store_store();
    store(&flag[me], OUT);
}

/* Two threads that are in here together can lose a step. */
static void critical_section(void) {
    int seen = load(&counter);
    store(&counter, seen + 1);
}

static void *worker(void *arg) {
    int me = *(int *)arg;
    lock(me);
    critical_section();
    unlock(me);
    return NULL;
}

static int names[2] = {0, 1};

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &names[0]);
    pthread_create(&second, NULL, worker, &names[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&counter) == 2);
    return 0;
}
