/*
 * The queue lock of Craig, Landin and Hagersten (T. S. Craig, Building FIFO and
 * priority-queuing spin locks from atomic swap, 1993): put a node at the tail of the queue
 * and wait on the node before it, which is one's own for the next round.
 *
 * TSO: needs no fence. The swap at the tail empties the store buffer by itself.
 * PSO: a store-store fence before the swap, or the next thread finds the node in the queue
 *      before it is marked as busy; and one before the node is let go, or the lock is free
 *      before the work is visible.
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

struct node {
    atomic_int busy;
};

static struct node nodes[3];
static struct node *_Atomic tail = &nodes[0];
static atomic_int counter;

/* Returns the node that the caller has waited on. */
static struct node *lock(struct node *mine) {
    store(&mine->busy, 1);
    store_store();
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_relaxed);
    while (load(&before->busy))
        ;
    return before;
}

static void unlock(struct node *mine) {
    store_store();
    store(&mine->busy, 0);
}

/* Two threads that are in here together can lose a step. */
static void critical_section(void) {
    int seen = load(&counter);
    store(&counter, seen + 1);
}

static void *worker(void *arg) {
    struct node *mine = arg;
    for (int round = 0; round < 2; round++) {
        struct node *before = lock(mine);
        critical_section();
        unlock(mine);
        mine = before;
    }
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &nodes[1]);
    pthread_create(&second, NULL, worker, &nodes[2]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&counter) == 4);
    return 0;
}
