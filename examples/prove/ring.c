/*
 * A ring of two slots between one producer and one consumer: the numbers 0, 1, 2, … go through it for ever, and arrive in order.
 * Positions are words that wrap. BROKEN takes a slot more than there is.
 */
#include "endless.h"

#define SLOTS 2
#ifdef BROKEN
#define CAPACITY (SLOTS + 1)
#else
#define CAPACITY SLOTS
#endif

static atomic_uint slots[SLOTS], head, tail;

static void *producer(void *arg) {
    for (unsigned number = 0;; number++) {
        await(number - load(&head) < CAPACITY);
        store(&slots[number % SLOTS], number);
        store(&tail, number + 1);
    }
    return arg;
}

static void *consumer(void *arg) {
    for (unsigned expected = 0;; expected++) {
        await(load(&tail) != expected);
        assert(load(&slots[expected % SLOTS]) == expected);
        store(&head, expected + 1);
    }
    return arg;
}

int main(void) {
    run(producer, 1);
    run(consumer, 1);
    return 0;
}
