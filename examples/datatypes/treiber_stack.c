/*
 * Treiber's stack with elimination (R. K. Treiber, Systems programming: coping with
 * parallelism, IBM 1986; Hendler, Shavit, Yerushalmi, A scalable lock-free stack algorithm,
 * SPAA 2004): a linked list whose top is changed by compare-and-swap. A push that fails because
 * of others holds out its node in a slot; a pop that fails takes what it finds there, and
 * the two are done without touching the top. There is one slot, and a push looks into it once
 * before it takes its node back.
 *
 * Operations: p push, o pop. Tests: stack.tests.
 *
 * Nodes that were popped are never freed or used again, which is why there are no version
 * numbers, and why a slot that no longer holds a push's node means that a pop has it.
 */
#include "atomics.h"

typedef struct node {
    struct node *_Atomic below;
    atomic_int value;
} node_t;

typedef struct stack {
    node_t *_Atomic top;
    node_t *_Atomic offer; /* the slot: a node that a push holds out */
} stack_t;

static void init_stack(stack_t *stack) {
    store(&stack->top, NULL);
    store(&stack->offer, NULL);
}

/* Tells whether a pop took the node. */
static bool hand_over(stack_t *stack, node_t *node) {
    FENCE(2, FP_LOAD_LOAD); /* earlier operations come before the offer */
    if (!cas(&stack->offer, NULL, node))
        return false;
    if (cas(&stack->offer, node, NULL))
        return false;
    FENCE(3, FP_LOAD_LOAD); /* what the next operation sees is not older than this */
    return true;
}

static void push(stack_t *stack, int value) {
    node_t *node = malloc(sizeof(node_t));
    store(&node->value, value);
    while (true) {
        node_t *top = load(&stack->top);
        store(&node->below, top);
        FENCE(1, FP_STORE_STORE); /* the node is filled in before it can be reached */
        if (cas(&stack->top, top, node))
            return;
        if (hand_over(stack, node))
            return;
        fp_retry();
    }
}

static bool pop(stack_t *stack, int *value) {
    while (true) {
        node_t *top = load(&stack->top);
        if (top == NULL)
            return false;
        FENCE(4, FP_LOAD_LOAD); /* a node is read after the way to it */
        node_t *below = load(&top->below);
        if (cas(&stack->top, top, below)) {
            *value = load(&top->value);
            return true;
        }
        node_t *offer = load(&stack->offer);
        FENCE(5, FP_LOAD_LOAD); /* the same */
        if (offer != NULL && cas(&stack->offer, offer, NULL)) {
            *value = load(&offer->value);
            return true;
        }
        fp_retry();
    }
}

static stack_t stack;

FP_INIT { init_stack(&stack); }

FP_OPERATION(p) { push(&stack, fp_argument("value", 2)); }

FP_OPERATION(o) {
    int value;
    bool found = pop(&stack, &value);
    fp_result("found", found);
    if (found)
        fp_result("value", value);
}
