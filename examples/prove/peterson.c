/*
 * Peterson's lock for two threads (G. L. Peterson, Myths about the mutual exclusion problem, 1981).
 */
#include "endless.h"

static cell flag[2], turn;

static void *worker(void *arg) {
    int me = *(int *)arg, other = 1 - me;
    for (;;) {
        store(&flag[me], 1);
        store(&turn, other);
        fence();
        while (load(&flag[other]) && load(&turn) == other)
            ;
        critical_section();
        store(&flag[me], 0);
    }
}

int main(void) {
    run(worker, 2);
    return 0;
}
