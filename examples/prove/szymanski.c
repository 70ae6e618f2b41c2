/*
 * Szymanski's lock for two threads (B. K. Szymanski, A simple solution to Lamport's concurrent
 * programming problem with linear wait, 1988).
 */
#include "endless.h"

static cell flag[2];

static void *worker(void *arg) {
    int me = *(int *)arg, other = 1 - me;
    for (;;) {
        store(&flag[me], 1);
        fence();
        while (load(&flag[other]) >= 3)
            ;
        store(&flag[me], 3);
        fence();
        if (load(&flag[other]) == 1) {
            store(&flag[me], 2);
            fence();
            while (load(&flag[other]) != 4)
                ;
        }
        store(&flag[me], 4);
        fence();
        if (me == 1)
            while (load(&flag[other]) >= 2)
                ;
        critical_section();
        if (me == 0)
            for (;;) {
                unsigned char seen = load(&flag[other]);
                if (seen != 2 && seen != 3)
                    break;
            }
        store(&flag[me], 0);
    }
}

int main(void) {
    run(worker, 2);
    return 0;
}
