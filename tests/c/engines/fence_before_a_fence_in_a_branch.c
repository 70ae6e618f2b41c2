//: sc,tso,pso,rmo,relaxed: holds
//: tso,pso,rmo,relaxed: violated: -DWITHOUT
// A fence orders what comes after it whether or not a second one, in a branch, is executed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static atomic_int x, y, again;
static int first, second;

static int run(atomic_int *own, atomic_int *other) {
    int twice = atomic_load_explicit(&again, RELAXED);
    atomic_store_explicit(own, 1, RELAXED);
#ifndef WITHOUT
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (twice)
        atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(other, RELAXED);
}

static void *left(void *unused) {
    first = run(&x, &y);
    return unused;
}

static void *sets(void *unused) {
    atomic_store_explicit(&again, 1, RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread, third;
    pthread_create(&third, 0, sets, 0);
    pthread_create(&thread, 0, left, 0);
    second = run(&y, &x);
    pthread_join(thread, 0);
    pthread_join(third, 0);
    assert(first || second);
    return 0;
}
