/*
 * Peterson's algorithm around a counter that grows for ever: needs FENCES under TSO.
 */
#include "endless.h"

static cell flag[2], turn;
static atomic_uint count;

static void *worker(void *arg) {
    int me = *(int *)arg;
    for (;;) {
        store(&flag[me], 1);
        store(&turn, 1 - me);
        fence();
        await(load(&flag[1 - me]) == 0 || load(&turn) == me);
        unsigned before = load(&count);
        store(&count, before + 1);
        assert(load(&count) == before + 1);
        store(&flag[me], 0);
    }
    return arg;
}

int main(void) {
    run(worker, 2);
    return 0;
}
