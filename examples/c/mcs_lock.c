/*
 * The queue lock of Mellor-Crummey and Scott (Algorithms for scalable synchronization on
 * shared-memory multiprocessors, 1991): put a node at the tail of the queue, tell the
 * thread before, and wait on the own node until it passes the lock on.
 *
 * TSO: needs no fence. Swap and compare-and-swap at the tail empty the store buffer by
 *      themselves.
 * PSO: a store-store fence before the swap, or the node is linked before it is set up, and
 *      its late initialisation wipes out what others wrote to it: a deadlock.
 *      And one before the lock is passed on, or that happens before the work is visible.
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
    struct node *_Atomic next;
    atomic_int waiting;
};

static struct node nodes[2];
static struct node *_Atomic tail;
static atomic_int counter;

static void lock(struct node *mine) {
    store(&mine->next, NULL);
    store(&mine->waiting, 1);
    store_store();
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_relaxed);
    if (before) {
        store(&before->next, mine);
        while (load(&mine->waiting))
            ;
    }
}

static void unlock(struct node *mine) {
    store_store();
    if (!load(&mine->next)) {
        struct node *last = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL, memory_order_relaxed,
                                                    memory_order_relaxed))
            return;
        while (!load(&mine->next))
            ;
    }
    store(&load(&mine->next)->waiting, 0);
}

/* Two threads that are in here together can lose a step. */
static void critical_section(void) {
    int seen = load(&counter);
    store(&counter, seen + 1);
}

static void *worker(void *arg) {
    lock(arg);
    critical_section();
    unlock(arg);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &nodes[0]);
    pthread_create(&second, NULL, worker, &nodes[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&counter) == 2);
    return 0;
}
