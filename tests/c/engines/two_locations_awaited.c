//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DNEVER
//: sc,tso,pso: holds: -DFENCE
// Loops that wait for one of several locations, with a store, a fence and an update that changes nothing.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static void *waiter(void *a) {
    int expected = 1;
    while (!x && !y) {
        atomic_fetch_or(&z, 0);
        atomic_compare_exchange_strong(&z, &expected, 2);
        expected = 1;
#ifdef FENCE
        atomic_thread_fence(memory_order_seq_cst);
#endif
    }
    return a;
}
static void *first(void *a) { x = 1; x = 0; return a; }
static void *second(void *a) { y = 1; return a; }
int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, first, 0);
#ifndef NEVER
    pthread_create(&v, 0, second, 0);
    pthread_join(v, 0);
#endif
    pthread_join(u, 0);
    pthread_join(t, 0);
    return 0;
}
