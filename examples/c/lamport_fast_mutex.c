/*
 * Lamport's fast mutex (L. Lamport, A fast mutual exclusion algorithm, 1987), with two
 * threads. Without contention a thread writes x and y, sees y free and x its own, and is
 * in. Otherwise it waits until all others have made up their minds, and the last one to
 * write y goes in.
 *
 * TSO: a store-load fence after x is written, before y is read, and one after y is
 *      written, before x is read.
 * PSO: a store-store fence before y is freed, or the lock is free before the work is
 *      visible; and one between freeing y and ceasing to try, or a late freeing of y lets in
 *      somebody besides the one who has taken it since. The latter shows when a thread comes
 *      a second time.
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

enum { THREADS = 2, NOBODY = 0 };

static atomic_int trying[THREADS + 1];
static atomic_int x, y = NOBODY;
static atomic_int counter;

static void lock(int me) {
    for (;;) {
        store(&trying[me], 1);
        store(&x, me);
        store_load();
        if (load(&y) != NOBODY) {
            store(&trying[me], 0);
            while (load(&y) != NOBODY)
                ;
            continue;
        }
        store(&y, me);
        store_load();
        if (load(&x) == me)
            return;
        store(&trying[me], 0);
        for (int other = 1; other <= THREADS; other++)
            while (load(&trying[other]))
                ;
        if (load(&y) == me)
            return;
        while (load(&y) != NOBODY)
            ;
    }
}

static void unlock(int me) {
    store_store();
    store(&y, NOBODY);
    store_store();
    store(&trying[me], 0);
}

/* Two threads that are in here together can lose a step. */
static void critical_section(void) {
    int seen = load(&counter);
    store(&counter, seen + 1);
}

static void work(int me) {
    lock(me);
    critical_section();
    unlock(me);
}

static void *first_worker(void *arg) {
    (void)arg;
    work(1);
    work(1);
    return NULL;
}

static void *second_worker(void *arg) {
    (void)arg;
    work(2);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, first_worker, NULL);
    pthread_create(&second, NULL, second_worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&counter) == 3);
    return 0;
}
