//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DUPDATE
// A thread waits for an object that another frees, or comes to it afterwards.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(atomic_int *) slot;
static atomic_int other;
static void *take(void *a) {
    atomic_int *n = atomic_exchange(&slot, 0);
    if (n) free(n);
    return a;
}
static void *await(void *a) {
    atomic_int *n = malloc(sizeof *n);
    atomic_store_explicit(n, 1, memory_order_relaxed);
    atomic_store_explicit(&slot, n, memory_order_release);
    atomic_store_explicit(&other, 1, memory_order_relaxed);
    n = atomic_load_explicit(&slot, memory_order_acquire);
#ifdef UPDATE
    if (n) atomic_exchange(n, 0);
#else
    if (n) while (atomic_load_explicit(n, memory_order_acquire)) ;
#endif
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, await, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
