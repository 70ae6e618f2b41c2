/*
 * The latch bug of PostgreSQL, found on Power in 2011 (see J. Alglave, D. Kroening, V.
 * Nimal, M. Tautschnig, Software verification for weak memory via program transformation,
 * 2013). Each worker waits for its latch, resets it, and looks for its flag: the permission
 * to work, which it then passes on, flag first, latch second.
 *
 * TSO: needs no fence: what a worker wrote before it set the other's latch is visible before
 *      the latch is.
 * PSO: a store-store fence before the latch is set. Without it the latch is seen before the
 *      flag, or the reset of the own latch arrives after the other has set it again. Then
 *      the permission is lost, and both workers deadlock.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef PSO_FENCES
#define store_store() atomic_thread_fence(memory_order_release)
#else
#define store_store() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

enum { TURNS = 2 };

static atomic_int latch[2] = {1, 0};
static atomic_int flag[2] = {1, 0};

static void wait_latch(int me) {
    while (!load(&latch[me]))
        ;
    store(&latch[me], 0);
}

static void set_latch(int who) {
    store_store();
    store(&latch[who], 1);
}

static void *worker(void *arg) {
    int me = *(int *)arg;
    int other = 1 - me;
    for (int turns = 0; turns < TURNS;) {
        wait_latch(me);
        if (load(&flag[me])) {
            turns++;
            store(&flag[me], 0);
            store(&flag[other], 1);
            set_latch(other);
        }
    }
    return NULL;
}

static int names[2] = {0, 1};

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &names[0]);
    pthread_create(&second, NULL, worker, &names[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
