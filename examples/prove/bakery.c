/*
 * The bakery algorithm (L. Lamport, A New Solution of Dijkstra's Concurrent Programming Problem, 1974) for two threads, with
 * numbers up to 3: a thread that would need a larger one tries again.
 */
#include "endless.h"

#define THREADS 2
#define LARGEST 3

static cell choosing[THREADS], number[THREADS];

static void *worker(void *arg) {
    int me = *(int *)arg;
    for (;;) {
        store(&choosing[me], 1);
        fence();
        int mine = 1;
        for (int other = 0; other < THREADS; other++)
            if (load(&number[other]) >= mine)
                mine = load(&number[other]) + 1;
        if (mine > LARGEST) {
            store(&choosing[me], 0);
            continue;
        }
        store(&number[me], mine);
        fence();
        store(&choosing[me], 0);
        fence();
        for (int other = 0; other < THREADS; other++) {
            if (other == me)
                continue;
            while (load(&choosing[other]))
                ;
            for (;;) {
                int theirs = load(&number[other]);
                if (theirs == 0 || theirs > mine || (theirs == mine && other > me))
                    break;
            }
        }
        critical_section();
        fence();
        store(&number[me], 0);
    }
}

int main(void) {
    run(worker, THREADS);
    return 0;
}
