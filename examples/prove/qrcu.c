/*
 * QRCU, read-copy-update with quick grace periods (O. Nesterov and P. E. McKenney; see McKenney,
 * Using Promela and Spin to verify parallel algorithms, LWN 2007), with two readers and one
 * updater. A reader counts itself in, in one of two counters; the updater takes data out of
 * sight, changes sides, waits until nobody is counted on the old one, and lets the data go.
 * Counting is by read-modify-writes, so under TSO no fence is needed.
 *
 * -DBROKEN: the updater first looks whether anybody reads at all, as the fast way of QRCU does,
 * without the fence that this takes (-DFENCES).
 */
#include "endless.h"

static cell readers[2] = {1, 0}; /* one more in the counter that is in use */
static cell in_use;
static cell current; /* which of the two pieces of data is in sight */
static cell alive[2] = {1, 1};

static void *reader(void *arg) {
    for (;;) {
        unsigned char side = load(&in_use), count = load(&readers[side]);
        if (count == 0)
            continue;
        if (!atomic_compare_exchange_strong_explicit(&readers[side], &count, count + 1, memory_order_relaxed,
                                                     memory_order_relaxed))
            continue;
        unsigned char mine = load(&current);
        assert(load(&alive[mine]));
        atomic_fetch_sub_explicit(&readers[side], 1, memory_order_relaxed);
    }
    return arg;
}

static void wait_for_readers(void) {
#ifdef BROKEN
    fence();
    if (load(&readers[0]) + load(&readers[1]) <= 1)
        return;
#endif
    unsigned char side = load(&in_use);
    atomic_fetch_add_explicit(&readers[1 - side], 1, memory_order_relaxed);
    store(&in_use, 1 - side);
    atomic_fetch_sub_explicit(&readers[side], 1, memory_order_relaxed);
    while (load(&readers[side]))
        ;
}

static void *updater(void *arg) {
    for (unsigned char next = 1;; next = 1 - next) {
        store(&alive[next], 1);
        store(&current, next);
        wait_for_readers();
        store(&alive[1 - next], 0);
    }
    return arg;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_create(&three, NULL, updater, NULL);
    return 0;
}
