//: sc,tso,pso: violated
// A free that fails ends nothing: the store before it still reaches who waits for it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(atomic_int *) object;
static atomic_int cell;
static void *wait(void *a) {
    atomic_int local = 1;
    atomic_store(&object, &local);
    while (atomic_load(&local)) ;
    atomic_load(&cell);
    return a;
}
static void *wake(void *a) {
    atomic_int *its = atomic_load(&object);
    if (its) {
        atomic_store_explicit(its, 0, memory_order_relaxed);
        free((void *)its);
    }
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, wait, 0);
    pthread_create(&b, 0, wake, 0);
    atomic_store(&cell, 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
