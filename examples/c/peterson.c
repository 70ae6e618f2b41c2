/*
 * Peterson's lock for two threads (G. L. Peterson, Myths about the mutual exclusion
 * problem, 1981): raise the flag, give way, wait while the other wants in and has not
 * given way.
 *
 * TSO: a store-load fence before the wait. Without it both threads read the other's flag
 *      while their own is still in the store buffer, and both go in.
 * PSO: a store-store fence between flag and turn, or the turn is given away before the
 *      flag can be seen; and one before the flag goes down, or the lock is free before
 *      the work is visible.
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

static atomic_int flag[2];
static atomic_int turn;
static atomic_int counter;

static void lock(int me) {
    int other = 1 - me;
    store(&flag[me], 1);
    store_store();
    store(&turn, other);
    store_load();
    while (load(&flag[other]) && load(&turn) == other)
        ;
}

static void unlock(int me) {
    store_store();
    store(&flag[me], 0);
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
