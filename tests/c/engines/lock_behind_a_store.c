//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DXCHG
//: sc,tso,pso: violated: -DO=memory_order_acq_rel
//: sc,tso,pso: violated: -DO=memory_order_release
//: sc,tso,pso: violated: -DXCHG -DO=memory_order_release
//: sc,tso,pso: violated: -DXCHG -DO=memory_order_acquire
// A lock behind a store that waits in the buffer.
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
static atomic_int m, x, z;
#ifndef O
#define O memory_order_seq_cst
#endif
#ifdef XCHG
#define LOCK() while (atomic_exchange_explicit(&m, 1, O))
#else
static int try(void) { int e = 0; return atomic_compare_exchange_strong_explicit(&m, &e, 1, O, memory_order_relaxed); }
#define LOCK() while (!try())
#endif
static void *t0(void *a) {
    LOCK();
    int r = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store(&m, 0);
    assert(r != 2);              /* fails under SC: t1 first, then t0 */
    return a;
}
static void *t1(void *a) {
    atomic_store_explicit(&z, 1, memory_order_relaxed);   /* waits in the buffer at LOCK */
    LOCK();
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store(&m, 0);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t0, 0);
    pthread_create(&b, 0, t1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
