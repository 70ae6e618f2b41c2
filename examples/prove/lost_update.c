/*
 * A counter under a test-and-set lock grows by one each round, for ever: no update is lost.
 * BROKEN gives the lock back before the counter is written.
 */
#include "endless.h"

static atomic_uint taken, count;

static void *worker(void *arg) {
    for (;;) {
        await(atomic_exchange(&taken, 1) == 0);
        unsigned before = load(&count);
#ifdef BROKEN
        store(&taken, 0);
#endif
        store(&count, before + 1);
        assert(load(&count) == before + 1);
        store(&taken, 0);
    }
    return arg;
}

int main(void) {
    run(worker, 2);
    return 0;
}
