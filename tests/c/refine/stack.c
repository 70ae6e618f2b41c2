// A stack whose operations look and write in two steps; what is on it can be popped twice.
#include <fencepost.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int value;
} node_t;

static node_t *_Atomic top;

FP_OPERATION(push) {
    node_t *node = malloc(sizeof(node_t));
    node->value = fp_argument("value", 2);
    node->next = top;
    top = node;
}

FP_OPERATION(pop) {
    node_t *node = top;
    fp_result("found", node != NULL);
    if (node != NULL) {
        top = node->next;
        fp_result("value", node->value);
    }
}
