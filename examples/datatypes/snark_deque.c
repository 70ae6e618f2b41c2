/*
 * The snark deque of Detlefs, Flood, Garthwaite, Martin, Shavit and Steele (Even better
 * DCAS-based concurrent deques, DISC 2000): a doubly linked list with a "hat" on each end,
 * changed by double compare-and-swap. A node that was popped from the right points to
 * itself by `left`, one that was popped from the left by `right`. The deque is empty from the
 * right if the node under the right hat points to itself by `right`; so does the dummy, and
 * so does a node that the left has popped.
 *
 * Operations: al, ar add on the left, on the right; rl, rr remove. Tests: deque.tests.
 *
 * As published, the algorithm is wrong (Doherty et al., DCAS is not a silver bullet for
 * nonblocking algorithm design, SPAA 2004):
 *   - a pop says "empty" of a deque that never was, since the hat was on another node by the
 *     time that it looked at its node; test D0
 *   - two pops, one from each side, get the same node; test Dq
 *   -DFIXED    looks at the hat again before it says "empty"; and a value belongs to who
 *              takes it out of the node by a compare-and-swap
 *
 * Nodes that were popped are never freed or used again: the original counts on a garbage
 * collector. Clearing the value of a popped node, which the paper calls optional, is left out.
 */
#include "atomics.h"

enum { TAKEN = 2 }; /* in place of a value */

typedef struct node {
    struct node *_Atomic left;
    struct node *_Atomic right;
    atomic_int value;
} node_t;

typedef struct deque {
    node_t *_Atomic left_hat;
    node_t *_Atomic right_hat;
    node_t dummy;
} deque_t;

static void init_deque(deque_t *deque) {
    store(&deque->dummy.left, &deque->dummy);
    store(&deque->dummy.right, &deque->dummy);
    store(&deque->left_hat, &deque->dummy);
    store(&deque->right_hat, &deque->dummy);
}

/* Tells whether the value of a node that was popped is ours. */
static bool take(node_t *node, int *value) {
    *value = load(&node->value);
#ifdef FIXED
    return *value != TAKEN && cas(&node->value, *value, TAKEN);
#else
    return true;
#endif
}

static void push_right(deque_t *deque, int value) {
    node_t *node = malloc(sizeof(node_t));
    store(&node->right, &deque->dummy);
    store(&node->value, value);
    while (true) {
        node_t *right_hat = load(&deque->right_hat);
        FENCE(1, FP_LOAD_LOAD); /* a node is read after the way to it */
        node_t *beyond = load(&right_hat->right);
        bool empty = beyond == right_hat;
        store(&node->left, empty ? &deque->dummy : right_hat);
        FENCE(2, FP_STORE_STORE); /* the node is filled in before it can be reached */
        if (empty) {
            node_t *left_hat = load(&deque->left_hat);
            if (dcas(&deque->right_hat, &deque->left_hat, right_hat, left_hat, node, node))
                return;
        } else {
            if (dcas(&deque->right_hat, &right_hat->right, right_hat, beyond, node, node))
                return;
        }
        fp_retry();
    }
}

static void push_left(deque_t *deque, int value) {
    node_t *node = malloc(sizeof(node_t));
    store(&node->left, &deque->dummy);
    store(&node->value, value);
    while (true) {
        node_t *left_hat = load(&deque->left_hat);
        FENCE(3, FP_LOAD_LOAD); /* a node is read after the way to it */
        node_t *beyond = load(&left_hat->left);
        bool empty = beyond == left_hat;
        store(&node->right, empty ? &deque->dummy : left_hat);
        FENCE(4, FP_STORE_STORE); /* the node is filled in before it can be reached */
        if (empty) {
            node_t *right_hat = load(&deque->right_hat);
            if (dcas(&deque->left_hat, &deque->right_hat, left_hat, right_hat, node, node))
                return;
        } else {
            if (dcas(&deque->left_hat, &left_hat->left, left_hat, beyond, node, node))
                return;
        }
        fp_retry();
    }
}

static bool pop_right(deque_t *deque, int *value) {
    while (true) {
        node_t *right_hat = load(&deque->right_hat);
        FENCE(5, FP_LOAD_LOAD); /* a node is read after the way to it, and so is the other hat */
        node_t *left_hat = load(&deque->left_hat);
#ifndef FIXED
        FENCE(11, FP_LOAD_LOAD); /* the last node, or not: known before it is popped */
#endif
        if (load(&right_hat->right) == right_hat) {
#ifdef FIXED
            FENCE(9, FP_LOAD_LOAD); /* still the right hat: after its node was read */
            if (load(&deque->right_hat) == right_hat)
#endif
                return false;
        } else if (right_hat == left_hat) {
            if (dcas(&deque->right_hat, &deque->left_hat, right_hat, left_hat, &deque->dummy,
                     &deque->dummy) &&
                take(right_hat, value))
                return true;
        } else {
            node_t *next = load(&right_hat->left);
            if (dcas(&deque->right_hat, &right_hat->left, right_hat, next, next, right_hat)) {
                bool ours = take(right_hat, value);
                FENCE(6, FP_STORE_STORE); /* others may push here until it is popped */
                store(&right_hat->right, &deque->dummy);
                if (ours)
                    return true;
            }
        }
        fp_retry();
    }
}

static bool pop_left(deque_t *deque, int *value) {
    while (true) {
        node_t *left_hat = load(&deque->left_hat);
        FENCE(7, FP_LOAD_LOAD); /* a node is read after the way to it, and so is the other hat */
        node_t *right_hat = load(&deque->right_hat);
#ifndef FIXED
        FENCE(12, FP_LOAD_LOAD); /* the last node, or not: known before it is popped */
#endif
        if (load(&left_hat->left) == left_hat) {
#ifdef FIXED
            FENCE(10, FP_LOAD_LOAD); /* still the left hat: after its node was read */
            if (load(&deque->left_hat) == left_hat)
#endif
                return false;
        } else if (left_hat == right_hat) {
            if (dcas(&deque->left_hat, &deque->right_hat, left_hat, right_hat, &deque->dummy,
                     &deque->dummy) &&
                take(left_hat, value))
                return true;
        } else {
            node_t *next = load(&left_hat->right);
            if (dcas(&deque->left_hat, &left_hat->right, left_hat, next, next, left_hat)) {
                bool ours = take(left_hat, value);
                FENCE(8, FP_STORE_STORE); /* others may push here until it is popped */
                store(&left_hat->left, &deque->dummy);
                if (ours)
                    return true;
            }
        }
        fp_retry();
    }
}

static deque_t deque;

static void report(bool found, int value) {
    fp_result("found", found);
    if (found)
        fp_result("value", value);
}

FP_INIT { init_deque(&deque); }

FP_OPERATION(al) { push_left(&deque, fp_argument("value", 2)); }

FP_OPERATION(ar) { push_right(&deque, fp_argument("value", 2)); }

FP_OPERATION(rl) {
    int value = 0;
    bool found = pop_left(&deque, &value);
    report(found, value);
}

FP_OPERATION(rr) {
    int value = 0;
    bool found = pop_right(&deque, &value);
    report(found, value);
}
