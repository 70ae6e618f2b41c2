/*
 * Burns' lock with one bit a thread (J. E. Burns and N. A. Lynch, Mutual exclusion using
 * indivisible reads and writes, 1980), with two threads. A thread gives way to those
 * before it, and waits for those behind it.
 *
 * TSO: a store-load fence after raising the flag, before the others' are read.
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

enum { THREADS = 2 };

static atomic_int flag[THREADS];
static atomic_int counter;

static int somebody_before(int me) {
    for (int other = 0; other < me; other++)
        if (load(&flag[other]))
            return 1;
    return 0;
}

static void lock(int me) {
    for (;;) {
        for (int other = 0; other < me; other++)
            while (load(&flag[other]))
                ;
        store(&flag[me], 1);
        store_load();
        if (!somebody_before(me))
            break;
        store(&flag[me], 0);
    }
    for (int other = me + 1; other < THREADS; other++)
        while (load(&flag[other]))
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
