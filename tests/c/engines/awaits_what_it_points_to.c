//: sc,tso,pso: violated
// A thread waits for a pointer and for what it points to, which another thread frees.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(atomic_int *) slot;
static void *publish(void *a) {
    atomic_int *n = malloc(sizeof *n);
    atomic_store_explicit(n, 1, memory_order_relaxed);
    atomic_store_explicit(&slot, n, memory_order_release);
    atomic_store_explicit(n, 0, memory_order_release);
    n = atomic_exchange(&slot, 0);
    if (n) free(n);
    return a;
}
static void *await(void *a) {
    atomic_int *n;
    while (!(n = atomic_load_explicit(&slot, memory_order_acquire)) || atomic_load_explicit(n, memory_order_acquire) == 1) ;
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, publish, 0);
    pthread_create(&b, 0, await, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
