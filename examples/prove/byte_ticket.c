/*
 * A ticket lock of two bytes, whose tickets wrap, for THREADS threads. BROKEN takes a ticket by a load and a store.
 */
#include "endless.h"

#ifndef THREADS
#define THREADS 2
#endif

static cell next, served;

static unsigned char take(void) {
#ifdef BROKEN
    unsigned char mine = load(&next);
    store(&next, mine + 1);
    return mine;
#else
    return atomic_fetch_add(&next, 1);
#endif
}

static void *worker(void *arg) {
    for (;;) {
        unsigned char mine = take();
        while (atomic_load_explicit(&served, memory_order_acquire) != mine)
            ;
        critical_section();
        atomic_store_explicit(&served, mine + 1, memory_order_release);
    }
    return arg;
}

int main(void) {
    run(worker, THREADS);
    return 0;
}
