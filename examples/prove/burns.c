/*
 * Burns' lock for N threads with one bit for each (J. E. Burns, Mutual exclusion with linear waiting using binary shared variables, 1978). A
 * thread that is turned away stores its bit again and again without waiting for its stores. Under PSO it needs the
 * order of release as well: without (-DRELAXED) what is stored inside can be overtaken by the bit.
 */
#include "endless.h"

#ifndef N
#define N 2
#endif

#ifdef RELAXED
#define set(value) store(&wants[me], value)
#else
#define set(value) atomic_store_explicit(&wants[me], value, memory_order_release)
#endif

static cell wants[N], owner;

static void *worker(void *arg) {
    int me = *(int *)arg, other;
    for (;;) {
    again:
        set(0);
        for (other = 0; other < me; other++)
            if (load(&wants[other]))
                goto again;
        set(1);
        fence();
        for (other = 0; other < me; other++)
            if (load(&wants[other]))
                goto again;
        for (other = me + 1; other < N; other++)
            await(!load(&wants[other]));
        store(&owner, me);
        assert(load(&owner) == me);
        set(0);
    }
}

int main(void) {
    run(worker, N);
    return 0;
}
