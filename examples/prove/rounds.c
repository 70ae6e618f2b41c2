/*
 * Two threads that wait for each other after each round, for ever: none is more than a round ahead. Rounds are words that wrap.
 * BROKEN waits every second round only.
 */
#include "endless.h"

static atomic_uint rounds[2];

static void *worker(void *arg) {
    int me = *(int *)arg;
    for (unsigned round = 1;; round++) {
        store(&rounds[me], round);
#ifdef BROKEN
        if (round % 2 == 0)
#endif
            await(load(&rounds[1 - me]) != round - 1);
        unsigned ahead = load(&rounds[1 - me]) - round;
        assert(ahead == 0 || ahead == 1);
    }
    return arg;
}

int main(void) {
    run(worker, 2);
    return 0;
}
