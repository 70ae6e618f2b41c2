/*
 * The queue of Michael and Scott (Simple, fast, and practical non-blocking and blocking
 * concurrent queue algorithms, 1996): a linked list with a dummy node in front, changed by
 * compare-and-swap alone. Nodes are not used again, so it does without version numbers.
 *
 * TSO: needs no fence. The compare-and-swap that links a node empties the store buffer.
 * PSO: a store-store fence before that compare-and-swap, or a node is in the queue before
 *      it is filled in.
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
    atomic_int value;
    struct node *_Atomic next;
};

static struct node dummy, nodes[2];
static struct node *_Atomic head = &dummy;
static struct node *_Atomic tail = &dummy;
static atomic_int sum;

static int change(struct node *_Atomic *place, struct node *from, struct node *to) {
    return atomic_compare_exchange_strong_explicit(place, &from, to, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void enqueue(struct node *node, int value) {
    store(&node->value, value);
    store(&node->next, NULL);
    store_store();
    for (;;) {
        struct node *last = load(&tail);
        struct node *next = load(&last->next);
        if (next) {
            change(&tail, last, next); /* the tail lags behind: help */
        } else if (change(&last->next, NULL, node)) {
            change(&tail, last, node);
            return;
        }
    }
}

/* The value at the head, or 0 if the queue is empty. */
static int dequeue(void) {
    for (;;) {
        struct node *first = load(&head);
        struct node *last = load(&tail);
        struct node *next = load(&first->next);
        if (!next)
            return 0;
        if (first == last) {
            change(&tail, last, next);
            continue;
        }
        int value = load(&next->value);
        if (change(&head, first, next))
            return value;
    }
}

static void *worker(void *arg) {
    int me = *(int *)arg;
    enqueue(&nodes[me], me + 1);
    int value = dequeue();
    assert(value != 0); /* for each that was taken out, one had been put in */
    atomic_fetch_add_explicit(&sum, value, memory_order_relaxed);
    return NULL;
}

static int names[2] = {0, 1};

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &names[0]);
    pthread_create(&second, NULL, worker, &names[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(load(&sum) == 3);
    return 0;
}
