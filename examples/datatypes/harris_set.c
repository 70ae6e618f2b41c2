/*
 * The non-blocking set of Harris (A pragmatic implementation of non-blocking linked-lists,
 * DISC 2001): a sorted linked list, changed by compare-and-swap alone. A node is removed by
 * marking its `next`, which keeps others from linking behind it, and unlinked afterwards, by
 * whoever comes across it. The mark is the lowest bit of the pointer.
 *
 * Operations: a add, c contains, r remove. Tests: set.tests.
 *
 * Nodes that were taken out are never freed or used again; the paper leaves reclamation to
 * reference counts or epochs.
 */
#include "atomics.h"

enum { KEYS = 2 };

typedef struct node {
    atomic_int key;
    struct node *_Atomic next;
} node_t;

typedef struct set {
    node_t head; /* before all keys, never removed */
    node_t tail; /* after all keys, never removed */
} set_t;

static bool is_marked(node_t *next) { return (uintptr_t)next & 1; }
static node_t *marked(node_t *next) { return (node_t *)((uintptr_t)next | 1); }
static node_t *unmarked(node_t *next) { return (node_t *)((uintptr_t)next & ~(uintptr_t)1); }

static void init_set(set_t *set) {
    store(&set->tail.next, NULL);
    store(&set->head.next, &set->tail);
}

/* The first node in the list whose key is not smaller, and the one before it, side by side at
 * some time during the search. Unlinks the marked nodes between the two. */
static node_t *search(set_t *set, int key, node_t **before) {
    while (true) {
        node_t *left = NULL, *left_next = NULL;
        node_t *node = &set->head;
        node_t *next = load(&node->next);
        do {
            FENCE(1, FP_LOAD_LOAD); /* a node is read after the way to it, cut out after its mark */
            if (!is_marked(next)) {
                left = node;
                left_next = next;
            }
            node = unmarked(next);
            if (node == &set->tail)
                break;
            next = load(&node->next);
        } while (is_marked(next) || load(&node->key) < key);
        node_t *right = node;

        if (left_next == right || cas(&left->next, left_next, right)) {
            if (right == &set->tail || !is_marked(load(&right->next))) {
                *before = left;
                return right;
            }
        }
        fp_retry();
    }
}

static bool holds(set_t *set, node_t *node, int key) {
    return node != &set->tail && load(&node->key) == key;
}

static bool add(set_t *set, int key) {
    node_t *node = malloc(sizeof(node_t));
    store(&node->key, key);
    while (true) {
        node_t *left;
        node_t *right = search(set, key, &left);
        if (holds(set, right, key))
            return false;
        store(&node->next, right);
        FENCE(2, FP_STORE_STORE); /* the node is filled in before it can be reached */
        if (cas(&left->next, right, node))
            return true;
        fp_retry();
    }
}

static bool remove_key(set_t *set, int key) {
    while (true) {
        node_t *left;
        node_t *right = search(set, key, &left);
        if (!holds(set, right, key))
            return false;
        node_t *right_next = load(&right->next);
        if (!is_marked(right_next) && cas(&right->next, right_next, marked(right_next))) {
            FENCE(3, FP_STORE_STORE); /* a node is marked before it is unlinked */
            if (!cas(&left->next, right, right_next))
                search(set, key, &left); /* unlinks it */
            return true;
        }
        fp_retry();
    }
}

static bool contains(set_t *set, int key) {
    node_t *left;
    return holds(set, search(set, key, &left), key);
}

static set_t set;

FP_INIT { init_set(&set); }

FP_OPERATION(a) { fp_result("added", add(&set, fp_argument("key", KEYS))); }

FP_OPERATION(c) { fp_result("found", contains(&set, fp_argument("key", KEYS))); }

FP_OPERATION(r) { fp_result("removed", remove_key(&set, fp_argument("key", KEYS))); }
