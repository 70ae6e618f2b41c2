/*
 * A ring buffer for one producer and one consumer (L. Lamport, Specifying concurrent
 * program modules, 1983). Each side writes its own index only.
 *
 * TSO: needs no fence: the item is visible before the index.
 * PSO: a store-store fence between the item and the producer's index, or the consumer takes
 *      an item that is not there yet. The consumer needs none: it loads the item before it
 *      stores its index, and loads do not fall behind stores.
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

enum { SIZE = 2, ITEMS = 3 };

static atomic_int ring[SIZE];
static atomic_int written, read_so_far;

static void put(int item) {
    int mine = load(&written);
    while (mine - load(&read_so_far) == SIZE)
        ;
    store(&ring[mine % SIZE], item);
    store_store();
    store(&written, mine + 1);
}

static int get(void) {
    int mine = load(&read_so_far);
    while (load(&written) == mine)
        ;
    int item = load(&ring[mine % SIZE]);
    store(&read_so_far, mine + 1);
    return item;
}

static void *producer(void *arg) {
    (void)arg;
    for (int item = 1; item <= ITEMS; item++)
        put(item);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int item = 1; item <= ITEMS; item++) {
        int got = get();
        assert(got == item);
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, producer, NULL);
    pthread_create(&second, NULL, consumer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
