//: sc,tso,pso,rmo,relaxed: violated
// A failed assumption hides nothing that another thread does.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <fencepost.h>
atomic_int y;
static void *n(void *a) { fp_assume(0); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, n, 0);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    assert(0);
}
