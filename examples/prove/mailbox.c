/*
 * A mailbox for one message: the numbers 0, 1, 2, … go through it for ever, and arrive in order.
 * BROKEN fills it before the message is there, which goes wrong even without store buffers.
 */
#include "endless.h"

static atomic_uint message, filled;

static void *sender(void *arg) {
    for (unsigned number = 0;; number++) {
        await(load(&filled) == 0);
#ifdef BROKEN
        store(&filled, 1);
        store(&message, number);
#else
        store(&message, number);
        store(&filled, 1);
#endif
    }
    return arg;
}

static void *receiver(void *arg) {
    for (unsigned expected = 0;; expected++) {
        await(load(&filled) == 1);
        assert(load(&message) == expected);
        store(&filled, 0);
    }
    return arg;
}

int main(void) {
    run(sender, 1);
    run(receiver, 1);
    return 0;
}
