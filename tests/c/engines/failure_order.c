//: rmo,relaxed: holds: -DSU=memory_order_release -DFA=memory_order_acquire -DLO=memory_order_relaxed
// The order of a compare-and-exchange that fails is its failure order.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y;
static void *writer(void *a) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int e = 5;                                   /* never there: always fails */
    atomic_compare_exchange_strong_explicit(&y, &e, 9, SU, FA);
    if (e == 1) assert(atomic_load_explicit(&x, LO) == 1);
    pthread_join(t, 0);
}
