/*
 * The latch of PostgreSQL (J. Alglave, D. Kroening, V. Nimal, M. Tautschnig, Software verification
 * for weak memory via program transformation, 2013): each thread waits for its latch, resets it,
 * and if it has the flag does its work, hands the flag on and sets the latch of the other. Somebody always has work or a
 * latch that is set.
 */
#include "endless.h"

static cell latch[2] = {1, 0}, flag[2] = {1, 0};

static void *worker(void *arg) {
    int me = *(int *)arg, other = 1 - me;
    for (;;) {
        while (load(&latch[me]) == 0)
            ;
        store(&latch[me], 0);
        fence();
        if (load(&flag[me]) != 0) {
            critical_section();
            store(&flag[me], 0);
            store(&flag[other], 1);
            store(&latch[other], 1);
        } else {
            /* The latch was set, so the flag was there before. */
            assert(load(&latch[me]) != 0 || load(&flag[me]) != 0);
        }
    }
}

int main(void) {
    run(worker, 2);
    return 0;
}
