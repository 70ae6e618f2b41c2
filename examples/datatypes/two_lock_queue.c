/*
 * The two-lock queue of Michael and Scott (Simple, fast, and practical non-blocking and
 * blocking concurrent queue algorithms, PODC 1996): a linked list with a dummy node in front,
 * one lock for each end. An enqueue and a dequeue may run at once; on an empty queue they meet
 * at the `next` of the dummy, which no lock guards for both.
 *
 * Operations: e enqueue, d dequeue. Tests: queue.tests.
 *
 * Nodes that were taken out are never freed or used again; the original frees them, which
 * changes nothing here, as nobody else looks at them.
 */
#include "atomics.h"

typedef struct node {
    struct node *_Atomic next;
    atomic_int value;
} node_t;

typedef struct queue {
    node_t *_Atomic head; /* the dummy; the queue begins behind it */
    node_t *_Atomic tail;
    lock_t head_lock;
    lock_t tail_lock;
} queue_t;

static void init_queue(queue_t *queue) {
    node_t *dummy = malloc(sizeof(node_t));
    store(&dummy->next, NULL);
    store(&queue->head, dummy);
    store(&queue->tail, dummy);
    store(&queue->head_lock, FREE);
    store(&queue->tail_lock, FREE);
}

static void enqueue(queue_t *queue, int value) {
    node_t *node = malloc(sizeof(node_t));
    store(&node->value, value);
    store(&node->next, NULL);
    lock(&queue->tail_lock);
    node_t *tail = load(&queue->tail);
    FENCE(1, FP_STORE_STORE); /* the node is filled in before it can be reached */
    store(&tail->next, node);
    store(&queue->tail, node);
    unlock(&queue->tail_lock);
}

static bool dequeue(queue_t *queue, int *value) {
    lock(&queue->head_lock);
    node_t *dummy = load(&queue->head);
    node_t *first = load(&dummy->next);
    if (first == NULL) {
        unlock(&queue->head_lock);
        return false;
    }
    FENCE(2, FP_LOAD_LOAD); /* the node is read after the way to it */
    *value = load(&first->value);
    store(&queue->head, first); /* it is the dummy now */
    unlock(&queue->head_lock);
    return true;
}

static queue_t queue;

FP_INIT { init_queue(&queue); }

FP_OPERATION(e) { enqueue(&queue, fp_argument("value", 2)); }

FP_OPERATION(d) {
    int value;
    bool found = dequeue(&queue, &value);
    fp_result("found", found);
    if (found)
        fp_result("value", value);
}
