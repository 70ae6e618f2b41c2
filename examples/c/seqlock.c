/*
 * A sequence lock (as in Linux; see C. Lameter, Effective synchronization on Linux/NUMA
 * systems, 2005). The writer makes the sequence odd, writes, and makes it even again. A
 * reader reads again if it saw an odd number, or different numbers before and after.
 *
 * TSO: needs no fence: stores become visible in order, and loads are made in order.
 * PSO: a store-store fence after the sequence is made odd, before the data; and one after
 *      the data, before it is made even.
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

static atomic_int sequence;
static atomic_int left, right;

static void write_both(int value) {
    int now = load(&sequence);
    store(&sequence, now + 1);
    store_store();
    store(&left, value);
    store(&right, value);
    store_store();
    store(&sequence, now + 2);
}

static void read_both(int *l, int *r) {
    int before;
    do {
        while ((before = load(&sequence)) % 2)
            ;
        *l = load(&left);
        *r = load(&right);
    } while (load(&sequence) != before);
}

static void *writer(void *arg) {
    (void)arg;
    write_both(1);
    write_both(2);
    return NULL;
}

static void *reader(void *arg) {
    int l, r;
    (void)arg;
    read_both(&l, &r);
    assert(l == r);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, writer, NULL);
    pthread_create(&second, NULL, reader, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
