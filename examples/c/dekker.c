/*
 * Dekker's lock for two threads (as told by E. W. Dijkstra, Cooperating sequential
 * processes, 1965). Who finds the other's flag up and does not have the turn takes the
 * flag down, waits for the turn, and raises the flag again.
 *
 * TSO: a store-load fence after each raising of the flag, before the other's is read.
 *      The second fence matters to a thread that had to give way, when the other comes a
 *      second time.
 * PSO: a store-store fence before the flag goes down, or the lock is free before the work
 *      is visible; and the turn, given away late, would undo what the other has done to it
 *      since, so that in the end there is a deadlock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(TSO_FENCES) || defined(PSO_FENCES)
#define store_load() atomic_thread_fence(memory_order_seq_cst)
#else
#define store_load() ((void)0)
#endif

#ifdef PSO_FENCES
#define store_store() atomic_thread_fence(memory_order_release)
#else
#define store_store() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int flag[2];
static atomic_int turn;
static atomic_int counter;

static void lock(int me) {
    int other = 1 - me;
    store(&flag[me], 1);
    store_load();
    if (load(&flag[other])) {
        if (load(&turn) != me) {
            store(&flag[me], 0);
            while (load(&turn) != me)
                ;
            store(&flag[me], 1);
            store_load();
        }
        /* The turn is ours until we give it away: only the flag is left to wait for. */
        while (load(&flag[other]))
            ;
    }
}

static void unlock(int me) {
    store(&turn, 1 - me);
    store_store();
    store(&flag[me], 0);
}

/* Two threads that are in here together can lose a step. */
static void critical_section(void) {
    int seen = load(&counter);
    store(&counter, seen + 1);
}

static void work(int me) {
    lock(me);
    critical_section();
    unlock(me);
}

static void *first_worker(void *arg) {
    (void)arg;
    work(0);
    work(0);
    return NULL;
}

static void *second_worker(void *arg) {
    (void)arg;
    work(1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, first_worker, NULL);
    pthread_create(&second, NULL, second_worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&counter) == 3);
    return 0;
}
