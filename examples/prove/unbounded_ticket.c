/*
 * A ticket lock whose tickets are words: they grow for ever, and wrap. What is done under it counts its rounds.
 * BROKEN takes a ticket by a load and a store.
 */
#include "endless.h"

static atomic_uint next, served;

static void *worker(void *arg) {
    for (;;) {
#ifdef BROKEN
        unsigned mine = load(&next);
        store(&next, mine + 1);
#else
        unsigned mine = atomic_fetch_add(&next, 1);
#endif
        await(load(&served) == mine);
        critical_section();
        store(&served, mine + 1);
    }
    return arg;
}

int main(void) {
    run(worker, 2);
    return 0;
}
