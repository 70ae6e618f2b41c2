// A binary search tree on the heap.
#include <stdio.h>
#include <stdlib.h>

struct tree { int key, count; struct tree *left, *right; };

static void insert(struct tree **t, int key) {
    while (*t) {
        if ((*t)->key == key) {
            (*t)->count++;
            return;
        }
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    }
    *t = calloc(1, sizeof **t);
    (*t)->key = key;
    (*t)->count = 1;
}
static int height(const struct tree *t) {
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}
static void walk_and_free(struct tree *t) {
    if (!t)
        return;
    walk_and_free(t->left);
    printf("%d:%d ", t->key, t->count);
    walk_and_free(t->right);
    free(t);
}

int main(void) {
    struct tree *root = NULL;
    for (int i = 0; i < 60; i++)
        insert(&root, i * i * 31 % 47);
    printf("%d\n", height(root));
    walk_and_free(root);
    putchar('\n');
    return 0;
}
