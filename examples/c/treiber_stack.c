/*
 * Treiber's stack (R. K. Treiber, Systems programming: coping with parallelism, 1986): a
 * linked list whose top is changed by compare-and-swap. Nodes are not used again, so it
 * does without version numbers.
 *
 * TSO: needs no fence. The compare-and-swap on the top empties the store buffer.
 * PSO: a store-store fence before the compare-and-swap of a push, or a node is on the stack
 *      before it is filled in.
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
    struct node *_Atomic below;
};

static struct node nodes[2];
static struct node *_Atomic top;
static atomic_int sum;

static int change_top(struct node *from, struct node *to) {
    return atomic_compare_exchange_strong_explicit(&top, &from, to, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void push(struct node *node, int value) {
    struct node *old;
    store(&node->value, value);
    do {
        old = load(&top);
        store(&node->below, old);
        store_store();
    } while (!change_top(old, node));
}

/* The value on the top, or 0 if the stack is empty. */
static int pop(void) {
    struct node *old;
    do {
        old = load(&top);
        if (!old)
            return 0;
    } while (!change_top(old, load(&old->below)));
    return load(&old->value);
}

static void *worker(void *arg) {
    int me = *(int *)arg;
    push(&nodes[me], me + 1);
    int value = pop();
    assert(value != 0); /* for each that was taken off, one had been put on */
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
