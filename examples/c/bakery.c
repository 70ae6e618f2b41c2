/*
 * Lamport's bakery (L. Lamport, A new solution of Dijkstra's concurrent programming
 * problem, 1974), with two threads: draw a number above all others, then wait for
 * everyone who has a smaller one.
 *
 * TSO: a store-load fence after saying that one is choosing, before the others' numbers
 *      are read; and one after the number is drawn, before the others are looked at.
 * PSO: a store-store fence between the number and the end of choosing, or others see that
 *      one has chosen, but not what; and one before the number is given back, or the lock
 *      is free before the work is visible.
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

static atomic_int choosing[THREADS];
static atomic_int number[THREADS];
static atomic_int counter;

static void lock(int me) {
    int highest = 0;
    store(&choosing[me], 1);
    store_load();
    for (int other = 0; other < THREADS; other++) {
        int theirs = load(&number[other]);
        if (theirs > highest)
            highest = theirs;
    }
    int mine = highest + 1;
    store(&number[me], mine);
    store_store();
    store(&choosing[me], 0);
    store_load();
    for (int other = 0; other < THREADS; other++) {
        int theirs;
        if (other == me)
            continue;
        while (load(&choosing[other]))
            ;
        while ((theirs = load(&number[other])) != 0 &&
               (theirs < mine || (theirs == mine && other < me)))
            ;
    }
}

static void unlock(int me) {
    store_store();
    store(&number[me], 0);
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
