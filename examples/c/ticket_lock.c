/*
 * A ticket lock (D. P. Reed and R. K. Kanodia, Synchronization with eventcounts and
 * sequencers, 1979; as Linux had it): draw a ticket, wait until it is served.
 *
 * TSO: needs no fence. Tickets are drawn by an atomic read-modify-write, and the stores
 *      of the work leave the buffer before the store that serves the next.
 * PSO: a store-store fence before the next is served, or the lock is free before the work
 *      is visible.
 */
#include <assert.h>
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

static atomic_int next_ticket;
static atomic_int now_serving;
static atomic_int counter;

static void lock(void) {
    int mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (load(&now_serving) != mine)
        ;
}

static void unlock(void) {
    store_store();
    store(&now_serving, load(&now_serving) + 1);
}

/* Two threads that are in here together can lose a step. */
static void critical_section(void) {
    int seen = load(&counter);
    store(&counter, seen + 1);
}

static void *worker(void *arg) {
    (void)arg;
    for (int round = 0; round < 2; round++) {
        lock();
        critical_section();
        unlock();
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&counter) == 4);
    return 0;
}
