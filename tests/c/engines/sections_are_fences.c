//: sc,tso,pso,rmo: holds
//: tso,pso,rmo: violated: -DWITHOUT
// No store waits when an atomic section begins or ends.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
static int x, y, first, second, one, two;
static void section(int *cell) {
#ifndef WITHOUT
    fp_atomic_begin();
    __atomic_store_n(cell, 1, __ATOMIC_RELAXED);
    fp_atomic_end();
#endif
}
static void *left(void *a) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    section(&one);
    first = __atomic_load_n(&y, __ATOMIC_RELAXED);
    return a;
}
static void *right(void *a) {
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    section(&two);
    second = __atomic_load_n(&x, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first || second);
    return 0;
}
