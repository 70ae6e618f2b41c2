/*
 * The queue lock of Mellor-Crummey and Scott (Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors, 1991)
 * for three threads, with numbers for pointers. BROKEN joins the queue by a load and a store.
 */
#include "endless.h"

#define THREADS 3

static cell tail, next[THREADS + 1], waits[THREADS + 1];

static void *worker(void *arg) {
    unsigned char me = *(int *)arg + 1;
    for (;;) {
        store(&next[me], 0);
        store(&waits[me], 1);
#ifdef BROKEN
        unsigned char before = load(&tail);
        store(&tail, me);
#else
        unsigned char before = atomic_exchange(&tail, me);
#endif
        if (before != 0) {
            atomic_store_explicit(&next[before], me, memory_order_release);
            while (atomic_load_explicit(&waits[me], memory_order_acquire))
                ;
        }
        critical_section();
        if (load(&next[me]) == 0) {
            unsigned char last = me;
            if (atomic_compare_exchange_strong(&tail, &last, 0))
                continue;
        }
        unsigned char behind;
        while ((behind = atomic_load_explicit(&next[me], memory_order_acquire)) == 0)
            ;
        atomic_store_explicit(&waits[behind], 0, memory_order_release);
    }
}

int main(void) {
    run(worker, THREADS);
    return 0;
}
