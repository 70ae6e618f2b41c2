//: sc,tso,pso: violated
// Had the thread looked before the free, it would have seen its own store, not that of the other one.
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int flag; };
static struct node *slot;
static void *frees(void *a) {
    struct node *node = __atomic_exchange_n(&slot, (struct node *)0, __ATOMIC_ACQ_REL);
    if (node) free(node);
    return a;
}
static void *ends(void *a) {
    struct node *node = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
    if (node) __atomic_store_n(&node->flag, 0, __ATOMIC_RELEASE);
    return a;
}
static void *awaits(void *a) {
    struct node *node = calloc(1, sizeof *node);
    node->flag = 1;
    __atomic_store_n(&slot, node, __ATOMIC_RELEASE);
    __atomic_store_n(&node->flag, 1, __ATOMIC_RELAXED);
    node = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
    if (node) while (__atomic_load_n(&node->flag, __ATOMIC_ACQUIRE));
    return a;
}
int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, 0, frees, 0);
    pthread_create(&second, 0, ends, 0);
    pthread_create(&third, 0, awaits, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    return 0;
}
