//: sc,tso,pso,rmo: holds
//: relaxed: violated
//: sc,tso,pso,rmo,relaxed: holds: -DSUCCEEDS
//: sc,tso,pso,rmo,relaxed: holds: -DLOADS
// Under Relaxed a compare-and-exchange that fails only loads: a fence that orders stores before loads lets a load
// overtake it. On machines it is a store as well.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static atomic_int data, flag;

static void *stores(void *unused) {
    atomic_store_explicit(&data, 1, RELAXED);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&flag, 1, RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, stores, 0);
#ifdef SUCCEEDS
    int seen = 1;
#else
    int seen = 0;
#endif
    atomic_compare_exchange_strong_explicit(&flag, &seen, 3, RELAXED, RELAXED);
#ifdef LOADS
    fp_fence(FP_LOAD_LOAD);
#else
    fp_fence(FP_STORE_LOAD);
#endif
    int value = atomic_load_explicit(&data, RELAXED);
    assert(seen != 1 || value == 1);
    pthread_join(thread, 0);
    return 0;
}
