/*
 * Dekker's lock without turns, for THREADS threads: raise the flag, and give up if another flag
 * is up.
 */
#include "endless.h"

#ifndef THREADS
#define THREADS 3
#endif

static cell flag[THREADS];

static void *worker(void *arg) {
    int me = *(int *)arg;
    for (;;) {
        store(&flag[me], 1);
        fence();
        int busy = 0;
        for (int other = 0; other < THREADS; other++)
            if (other != me && load(&flag[other])) {
                busy = 1;
                break;
            }
        if (!busy)
            critical_section();
        store(&flag[me], 0);
    }
}

int main(void) {
    run(worker, THREADS);
    return 0;
}
