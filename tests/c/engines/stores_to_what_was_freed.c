//: sc,tso,pso: violated
// Two stores of one thread to a location that is gone still leave the store buffer in order.
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *frees(void *a) {
    int *p = __atomic_exchange_n(&shared, 0, __ATOMIC_ACQ_REL);
    if (p) free(p);
    return a;
}
static void *stores(void *a) {
    int *p = malloc(sizeof *p);
    __atomic_store_n(&shared, p, __ATOMIC_RELEASE);
    __atomic_store_n(p, 2, __ATOMIC_RELAXED);
    __atomic_store_n(p, 1, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, frees, 0);
    pthread_create(&second, 0, stores, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
