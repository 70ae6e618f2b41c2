//: pso: violated
// The thread's own store leaves the store buffer after the free. Without the free the thread would still wait.
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int flag; };
static struct node *slot;
static void *frees(void *a) {
    struct node *node = __atomic_exchange_n(&slot, (struct node *)0, __ATOMIC_ACQ_REL);
    if (node) free(node);
    return a;
}
static void *awaits(void *a) {
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    __atomic_store_n(&node->flag, 2, __ATOMIC_RELAXED);
    __atomic_store_n(&slot, node, __ATOMIC_RELAXED);
    node = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
    if (node) while (__atomic_load_n(&node->flag, __ATOMIC_ACQUIRE));
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, frees, 0);
    pthread_create(&second, 0, awaits, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
