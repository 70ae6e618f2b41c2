/*
 * Dijkstra's lock for two threads (E. W. Dijkstra, Solution of a problem in concurrent programming
 * control, 1965).
 */
#include "endless.h"

static cell interested[2], passed[2], turn;

static void *worker(void *arg) {
    int me = *(int *)arg, other = 1 - me;
    for (;;) {
        store(&interested[me], 1);
        for (;;) {
            unsigned char who = load(&turn);
            if (who != me) {
                store(&passed[me], 0);
                if (load(&interested[who]) == 0)
                    store(&turn, me);
                continue;
            }
            store(&passed[me], 1);
            fence();
            if (load(&passed[other]) == 0)
                break;
        }
        critical_section();
        store(&passed[me], 0);
        store(&interested[me], 0);
    }
}

int main(void) {
    run(worker, 2);
    return 0;
}
