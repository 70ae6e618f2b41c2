//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DBRANCH
//: sc,tso,pso,rmo,relaxed: violated: -DONE_OF_TWO
//: sc,tso,pso,rmo,relaxed: violated: -DBRANCH -DFENCED
//: sc,tso,pso,rmo,relaxed: violated: -DONE_OF_TWO -DFENCED
// Only what a thread did that was waited for is there for sure: not what others did, nor if it was not waited for.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static atomic_int x, y;

static void stores(atomic_int *location) {
    atomic_store_explicit(location, 1, RELAXED);
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *left(void *unused) {
    stores(&x);
    return unused;
}

static void *right(void *unused) {
    stores(&y);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, left, 0);
    pthread_create(&second, 0, right, 0);
#if defined BRANCH
    if (atomic_load_explicit(&y, RELAXED))
        pthread_join(first, 0);
#elif defined ONE_OF_TWO
    pthread_join(fp_choose(2) ? first : second, 0);
#else
    pthread_join(first, 0);
#endif
    assert(atomic_load_explicit(&x, RELAXED) == 1);
    return 0;
}
