//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DREAD
//: tso,pso: violated: -DNO_FENCE
// Counters for statistics in memory: what nobody reads tells no two iterations apart. A read-modify-write of one is a fence all the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop, locked, x, y;
static int count, r0, r1;
static struct { long rounds, spins; } plain;
static atomic_long atomic;
static void *work(void *unused) {
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        plain.rounds++;
        atomic_fetch_add_explicit(&atomic, 1, memory_order_relaxed);
    }
    return unused;
}
static void *increment(void *unused) {
    while (atomic_exchange(&locked, 1))
        plain.spins++;
    count++;
    atomic_store(&locked, 0);
    return unused;
}
static void *first(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifndef NO_FENCE
    atomic_fetch_add(&atomic, 1);
#endif
    r0 = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}
static void *second(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifndef NO_FENCE
    atomic_fetch_add(&atomic, 1);
#endif
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r0 + r1 > 0);
#ifdef READ
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(plain.spins == 0);
#elif !defined NO_FENCE
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    atomic_store(&stop, 1);
    pthread_join(worker, 0);
#endif
    return 0;
}
