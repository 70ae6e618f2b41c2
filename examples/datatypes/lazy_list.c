/*
 * The lazy list of Heller, Herlihy, Luchangco, Moir, Scherer and Shavit (A lazy concurrent
 * list-based set algorithm, OPODIS 2005): a set as a sorted linked list. Adding and removing
 * walk without locks, lock the two nodes at the place, and look whether it still is the place;
 * if not, they begin again. A node is marked before it is unlinked. Looking for a key takes
 * no lock at all.
 *
 * Operations: a add, c contains, r remove. Tests: set.tests.
 *
 * The published pseudocode does not say that `marked` of a new node is false:
 *   -DUNINITIALISED_MARK    leaves it as it comes from malloc
 *
 * Nodes that were taken out are never freed or used again: the original counts on a
 * garbage collector.
 */
#include "atomics.h"

enum { KEYS = 2, BEFORE_ALL = -1, AFTER_ALL = KEYS };

typedef struct node {
    atomic_int key;
    atomic_bool marked;
    struct node *_Atomic next;
    lock_t lock;
} node_t;

typedef struct set {
    node_t head; /* before all keys, never removed */
    node_t tail; /* after all keys, never removed */
} set_t;

static void init_node(node_t *node, int key, node_t *next) {
    store(&node->key, key);
    store(&node->next, next);
    store(&node->lock, FREE);
}

static void init_set(set_t *set) {
    init_node(&set->tail, AFTER_ALL, NULL);
    store(&set->tail.marked, false);
    init_node(&set->head, BEFORE_ALL, &set->tail);
    store(&set->head.marked, false);
}

/* The first node whose key is not smaller, and the one before it; both locked, in the list,
 * and side by side. */
static void locate(set_t *set, int key, node_t **before, node_t **at) {
    while (true) {
        node_t *pred, *curr = &set->head;
        do {
            pred = curr;
            curr = load(&pred->next);
            FENCE(1, FP_LOAD_LOAD); /* a node is read after the way to it */
        } while (load(&curr->key) < key);
        lock(&pred->lock);
        lock(&curr->lock);
        if (!load(&pred->marked) && !load(&curr->marked) && load(&pred->next) == curr) {
            *before = pred;
            *at = curr;
            return;
        }
        unlock(&curr->lock);
        unlock(&pred->lock);
        fp_retry();
    }
}

static bool add(set_t *set, int key) {
    node_t *pred, *curr;
    locate(set, key, &pred, &curr);
    bool added = load(&curr->key) != key;
    if (added) {
        node_t *node = malloc(sizeof(node_t));
        init_node(node, key, curr);
#ifndef UNINITIALISED_MARK
        store(&node->marked, false);
#endif
        FENCE(2, FP_STORE_STORE); /* the node is filled in before it can be reached */
        store(&pred->next, node);
    }
    unlock(&curr->lock);
    unlock(&pred->lock);
    return added;
}

static bool remove_key(set_t *set, int key) {
    node_t *pred, *curr;
    locate(set, key, &pred, &curr);
    bool removed = load(&curr->key) == key;
    if (removed) {
        store(&curr->marked, true);
        store(&pred->next, load(&curr->next));
    }
    unlock(&curr->lock);
    unlock(&pred->lock);
    return removed;
}

static bool contains(set_t *set, int key) {
    node_t *curr = &set->head;
    while (load(&curr->key) < key) {
        curr = load(&curr->next);
        FENCE(3, FP_LOAD_LOAD); /* a node is read after the way to it */
    }
    bool found = load(&curr->key) == key && !load(&curr->marked);
    FENCE(4, FP_LOAD_LOAD); /* what the next operation sees is not older than this */
    return found;
}

static set_t set;

FP_INIT { init_set(&set); }

FP_OPERATION(a) { fp_result("added", add(&set, fp_argument("key", KEYS))); }

FP_OPERATION(c) { fp_result("found", contains(&set, fp_argument("key", KEYS))); }

FP_OPERATION(r) { fp_result("removed", remove_key(&set, fp_argument("key", KEYS))); }
