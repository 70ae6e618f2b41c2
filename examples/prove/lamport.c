/*
 * Lamport's fast mutex for two threads (L. Lamport, A fast mutual exclusion algorithm, 1987).
 * x and y hold the name of a thread, from 1 on.
 */
#include "endless.h"

static cell x, y, b[2];

static void *worker(void *arg) {
    int me = *(int *)arg, other = 1 - me, name = me + 1;
    for (;;) {
        store(&b[me], 1);
        store(&x, name);
        fence();
        if (load(&y) != 0) {
            store(&b[me], 0);
            while (load(&y) != 0)
                ;
            continue;
        }
        store(&y, name);
        fence();
        if (load(&x) != name) {
            store(&b[me], 0);
            fence();
            while (load(&b[other]))
                ;
            if (load(&y) != name) {
                while (load(&y) != 0)
                    ;
                continue;
            }
        }
        critical_section();
        store(&y, 0);
        store(&b[me], 0);
    }
}

int main(void) {
    run(worker, 2);
    return 0;
}
