/*
 * QRCU, read-copy-update with quick grace periods (O. Nesterov and P. E. McKenney; see
 * McKenney, Using Promela and Spin to verify parallel algorithms, LWN 2007). A reader
 * counts itself in, in one of two counters. The updater takes data out of sight, waits
 * until all readers have left that might still have it, and lets it go.
 *
 * TSO: a store-load fence when the updater begins to wait. Without it the updater finds no
 *      reader while its store is still in the buffer, and lets go what a reader finds after.
 * PSO: the same fence is enough. Readers store nothing but their atomic counts, and the
 *      updater's later stores are ordered by its mutex, or may come late without harm.
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

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int readers[2] = {1, 0}; /* one more in the counter that is in use */
static atomic_int in_use;
static pthread_mutex_t updating = PTHREAD_MUTEX_INITIALIZER;

static atomic_int current;            /* which of the two pieces of data is in sight */
static atomic_int alive[2] = {1, 1};

static int read_lock(void) {
    int side, count;
    do {
        /* A counter at zero is not to be used again: in_use is about to change. */
        while ((count = load(&readers[side = load(&in_use)])) == 0)
            ;
    } while (!atomic_compare_exchange_strong_explicit(&readers[side], &count, count + 1,
                                                      memory_order_relaxed,
                                                      memory_order_relaxed));
    return side;
}

static void read_unlock(int side) {
    atomic_fetch_sub_explicit(&readers[side], 1, memory_order_relaxed);
}

static int nobody_reads(void) {
    return load(&readers[0]) + load(&readers[1]) <= 1;
}

static void synchronize(void) {
    store_load();
    /* Twice, since another updater may have changed sides between the two loads. */
    if (nobody_reads() && nobody_reads())
        return;
    pthread_mutex_lock(&updating);
    int side = load(&in_use);
    atomic_fetch_add_explicit(&readers[1 - side], 1, memory_order_relaxed);
    store(&in_use, 1 - side);
    atomic_fetch_sub_explicit(&readers[side], 1, memory_order_relaxed);
    while (load(&readers[side]))
        ;
    pthread_mutex_unlock(&updating);
}

static void *reader(void *arg) {
    (void)arg;
    for (int round = 0; round < 2; round++) {
        int side = read_lock();
        int mine = load(&current);
        assert(load(&alive[mine]));
        read_unlock(side);
    }
    return NULL;
}

static void *updater(void *arg) {
    (void)arg;
    store(&current, 1);
    synchronize();
    store(&alive[0], 0);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, reader, NULL);
    pthread_create(&second, NULL, updater, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
