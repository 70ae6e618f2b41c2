/*
 * A barrier that reverses its sense, for three threads: nobody is more than a phase ahead of anybody. BROKEN lets a thread
 * pass that does not wait for the sense.
 */
#include "endless.h"

#define THREADS 3

static cell left = THREADS, sense, phase[THREADS];

static void wait_for_all(unsigned char mine) {
    if (atomic_fetch_sub(&left, 1) == 1) {
        store(&left, THREADS);
        atomic_store_explicit(&sense, mine, memory_order_release);
        return;
    }
#ifndef BROKEN
    while (atomic_load_explicit(&sense, memory_order_acquire) != mine)
        ;
#endif
}

static void *worker(void *arg) {
    int me = *(int *)arg;
    unsigned char mine = 0;
    for (unsigned char now = 0;; now = (now + 1) % 3) {
        store(&phase[me], now);
        mine = !mine;
        wait_for_all(mine);
        for (int other = 0; other < THREADS; other++) {
            unsigned char theirs = load(&phase[other]);
            assert(theirs == now || theirs == (now + 1) % 3);
        }
    }
}

int main(void) {
    run(worker, THREADS);
    return 0;
}
