//: sc,tso,pso,rmo: holds
//: rmo: violated: -DWITHOUT
// A store behind an assumption depends on what the assumption was decided by, as one behind a branch does.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int first, second;

static void *decides(void *unused) {
    first = atomic_load_explicit(&x, memory_order_relaxed);
#ifndef WITHOUT
    fp_assume(first != 3);
#endif
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *copies(void *unused) {
    second = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, second, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, decides, 0);
    pthread_create(&other, 0, copies, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(first == 0 || second == 0);
    return 0;
}
