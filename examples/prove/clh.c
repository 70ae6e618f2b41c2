/*
 * The queue lock of Craig, Landin and Hagersten for two threads, with nodes in an array. A thread
 * takes the node of the one before it along. Under TSO it needs no fence: the exchange is one.
 *
 * -DBROKEN: the thread announces itself by a load and a store.
 */
#include "endless.h"

static cell locked[3], tail;

static void *worker(void *arg) {
    int mine = *(int *)arg + 1;
    for (;;) {
        store(&locked[mine], 1);
#ifdef BROKEN
        int before = load(&tail);
        store(&tail, mine);
#else
        int before = atomic_exchange_explicit(&tail, mine, memory_order_relaxed);
#endif
        while (load(&locked[before]))
            ;
        critical_section();
        store(&locked[mine], 0);
        mine = before;
    }
}

int main(void) {
    run(worker, 2);
    return 0;
}
