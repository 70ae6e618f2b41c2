/*
 * A reader-writer spin lock in one word: the number of readers, or -1 for a writer (the
 * simplest of those in M. L. Scott, Shared-memory synchronization, 2013).
 *
 * TSO: needs no fence. The lock is taken by compare-and-swap, and the stores of a writer
 *      leave the buffer before the store that frees the lock.
 * PSO: a store-store fence before a writer frees the lock, or that is visible before its
 *      work. Readers need none: they have stored nothing.
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

enum { FREE = 0, WRITER = -1 };

static atomic_int state = FREE;
static atomic_int left, right;

static int change(int from, int to) {
    return atomic_compare_exchange_strong_explicit(&state, &from, to, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void read_lock(void) {
    int readers;
    do {
        while ((readers = load(&state)) == WRITER)
            ;
    } while (!change(readers, readers + 1));
}

static void read_unlock(void) {
    atomic_fetch_sub_explicit(&state, 1, memory_order_relaxed);
}

static void write_lock(void) {
    do {
        while (load(&state) != FREE)
            ;
    } while (!change(FREE, WRITER));
}

static void write_unlock(void) {
    store_store();
    store(&state, FREE);
}

static void count(void) {
    write_lock();
    store(&left, load(&left) + 1);
    store(&right, load(&right) + 1);
    write_unlock();
}

static void compare(void) {
    read_lock();
    assert(load(&left) == load(&right));
    read_unlock();
}

static void *first_worker(void *arg) {
    (void)arg;
    count();
    compare();
    return NULL;
}

static void *second_worker(void *arg) {
    (void)arg;
    compare();
    count();
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, first_worker, NULL);
    pthread_create(&second, NULL, second_worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&left) == 2 && load(&right) == 2);
    return 0;
}
