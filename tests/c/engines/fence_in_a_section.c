//: sc,tso,pso,rmo,relaxed: holds: -DBETWEEN=BEGIN;FENCE;END;LOAD
//: sc,tso,pso,rmo,relaxed: holds: -DBETWEEN=BEGIN;FENCE;LOAD;END
//: sc,tso,pso,rmo,relaxed: holds: -DBETWEEN=BEGIN;FENCE;FENCE;LOAD;END
//: sc,tso,pso,rmo,relaxed: holds: -DBETWEEN=BEGIN;FENCE;END;BEGIN;FENCE;LOAD;END
//: sc,tso,pso,rmo,relaxed: holds: -DBETWEEN=BEGIN;FENCE;END;FENCE;LOAD
//: sc,tso,pso,rmo,relaxed: holds: -DWITHIN -DBETWEEN=FENCE;END;LOAD
//: sc,tso,pso,rmo,relaxed: holds: -DWITHIN -DBETWEEN=FENCE;FENCE;END;LOAD
//: relaxed: violated: -DBETWEEN=BEGIN;END;LOAD
//: relaxed: violated: -DBETWEEN=BEGIN;LOAD;END
// Store buffering with a fence inside an atomic section: it orders what comes before the section, the section, and
// what comes after it. Under Relaxed the section itself orders nothing.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
#define BEGIN fp_atomic_begin()
#define END fp_atomic_end()
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#define LOAD seen = atomic_load_explicit(other, RELAXED)
static atomic_int x, y;
static int first, second;

static int run(atomic_int *own, atomic_int *other) {
    int seen;
#ifdef WITHIN
    BEGIN;
#endif
    atomic_store_explicit(own, 1, RELAXED);
    BETWEEN;
    return seen;
}

static void *left(void *unused) {
    first = run(&x, &y);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    second = run(&y, &x);
    pthread_join(thread, 0);
    assert(first || second);
    return 0;
}
