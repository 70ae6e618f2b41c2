//: sc: holds
//: tso,pso,rmo,relaxed: violated
//: sc: holds: -DFREE
//: tso,pso,rmo,relaxed: violated: -DFREE
//: sc: holds: -DFRAME
//: tso,pso,relaxed: violated: -DFRAME
//: tso,pso: violated: -DFREE -DFENCE=memory_order_release
//: tso,pso: violated: -DFRAME -DFENCE=memory_order_release
//: tso,pso,relaxed: violated: -DFENCE=memory_order_release
//: tso,pso: holds: -DFREE -DFENCE=memory_order_seq_cst
//: tso,pso: holds: -DFRAME -DFENCE=memory_order_seq_cst
//: tso,pso: holds: -DFENCE=memory_order_seq_cst
// Ending the life of an object, or observing something, waits for no store.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y;
static int first, second;
static _Atomic(atomic_int *) object;
static void store(void) {
#if defined FREE
    atomic_int *mine = malloc(sizeof *mine);
    atomic_store(&object, mine);
#elif defined FRAME
    atomic_int local, *mine = &local;
    atomic_store(&object, mine);
#endif
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(FENCE);
#endif
#if defined FREE
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    free(mine);
#elif defined FRAME
    atomic_store_explicit(mine, 1, memory_order_relaxed);
#else
    fp_observe("one", 1);
#endif
}
static void *one(void *a) {
    store();
    first = atomic_load_explicit(&y, memory_order_relaxed);
    return a;
}
static void *other(void *a) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    second = atomic_load_explicit(&x, memory_order_relaxed);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first || second);
}
