/*
 * A program that goes wrong only with store buffers of 2 * ROUNDS stores or more, and looks for
 * smaller ones as if it had no more states to show. The first thread stores 1 and 2 again and
 * again; all of that waits in its buffer while it finds that y is still 0.
 */
#include "endless.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

static cell x, y, first_is_there;

static void *first(void *arg) {
    while (fp_choose(2)) {
        store(&x, 1);
        store(&x, 2);
    }
    fence();
    await(load(&y) == 0);
    store(&first_is_there, 1);
    return arg;
}

static void *second(void *arg) {
    store(&y, 1);
    atomic_thread_fence(memory_order_seq_cst);
    await(load(&x) == 2);
    for (int round = 0; round < ROUNDS; round++) {
        await(load(&x) == 1);
        await(load(&x) == 2);
    }
    assert(load(&first_is_there) == 0);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    return 0;
}
