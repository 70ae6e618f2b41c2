/*
 * The non-blocking queue of Michael and Scott (Simple, fast, and practical non-blocking and
 * blocking concurrent queue algorithms, PODC 1996), as in CheckFence (Burckhardt, Alur,
 * Martin, PLDI 2007), Fig. 9, whose fences these are: a linked list with a dummy node in front,
 * changed by compare-and-swap alone. The tail may lag behind by one node; whoever sees
 * that moves it on.
 *
 * Operations: e enqueue, d dequeue. Tests: queue.tests.
 *
 * As in Fig. 9 pointers have no counters, since nodes that were taken out are never used
 * again: delete_node does nothing.
 */
#include "atomics.h"

typedef struct node {
    struct node *_Atomic next;
    atomic_int value;
} node_t;

typedef struct queue {
    node_t *_Atomic head;
    node_t *_Atomic tail;
} queue_t;

static node_t *new_node(void) { return malloc(sizeof(node_t)); }

static void delete_node(node_t *node) { (void)node; }

static void init_queue(queue_t *queue) {
    node_t *node = new_node();
    store(&node->next, NULL);
    store(&queue->head, node);
    store(&queue->tail, node);
}

static void enqueue(queue_t *queue, int value) {
    node_t *node = new_node();
    node_t *tail;
    store(&node->value, value);
    store(&node->next, NULL);
    FENCE(1, FP_STORE_STORE); /* the node is filled in before it can be reached */
    while (true) {
        tail = load(&queue->tail);
        FENCE(2, FP_LOAD_LOAD); /* the node is read after the way to it */
        node_t *next = load(&tail->next);
        FENCE(3, FP_LOAD_LOAD); /* still the tail: after its next was read */
        if (tail == load(&queue->tail)) {
            if (next == NULL) {
                if (cas(&tail->next, next, node))
                    break;
            } else {
                cas(&queue->tail, tail, next);
            }
        }
        fp_retry();
    }
    FENCE(4, FP_STORE_STORE); /* the tail never overtakes the list */
    cas(&queue->tail, tail, node);
}

static bool dequeue(queue_t *queue, int *value) {
    node_t *head;
    while (true) {
        head = load(&queue->head);
        FENCE(5, FP_LOAD_LOAD); /* head == tail only if there is nothing between */
        node_t *tail = load(&queue->tail);
        FENCE(6, FP_LOAD_LOAD); /* behind a tail that was seen, so is its next */
        node_t *next = load(&head->next);
        FENCE(7, FP_LOAD_LOAD); /* still the head: after its next was read; and so is the value */
        if (head == load(&queue->head)) {
            if (head == tail) {
                if (next == NULL)
                    return false;
                cas(&queue->tail, tail, next);
            } else {
                *value = load(&next->value);
                if (cas(&queue->head, head, next))
                    break;
            }
        }
        fp_retry();
    }
    delete_node(head);
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
