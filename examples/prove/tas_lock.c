/*
 * A test-and-set lock, for any number of threads: --replicate worker. BROKEN tests first, then
 * sets.
 */
#include "endless.h"

static cell locked;

static void *worker(void *arg) {
    for (;;) {
#ifdef BROKEN
        await(load(&locked) == 0);
        store(&locked, 1);
        fence();
#else
        while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
            ;
#endif
        critical_section();
        atomic_store_explicit(&locked, 0, memory_order_release);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
