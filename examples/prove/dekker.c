/*
 * Dekker's lock for two threads (in E. W. Dijkstra, Cooperating sequential processes, 1965).
 */
#include "endless.h"

static cell flag[2], turn;

static void *worker(void *arg) {
    int me = *(int *)arg, other = 1 - me;
    for (;;) {
        store(&flag[me], 1);
        fence();
        while (load(&flag[other])) {
            if (load(&turn) != me) {
                store(&flag[me], 0);
                while (load(&turn) != me)
                    ;
                store(&flag[me], 1);
                fence();
            }
        }
        critical_section();
        store(&turn, other);
        store(&flag[me], 0);
    }
}

int main(void) {
    run(worker, 2);
    return 0;
}
