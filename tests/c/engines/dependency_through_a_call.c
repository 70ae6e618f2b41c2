//: sc,tso,pso,rmo: holds
//: relaxed: violated
//: sc,tso,pso,rmo: holds: -DRESULT
//: relaxed: violated: -DRESULT
//: sc,tso,pso,rmo: holds: -DEXPECTED
//: relaxed: violated: -DEXPECTED
//: sc,tso,pso,rmo: holds: -DDESIRED
//: relaxed: violated: -DDESIRED
//: sc,tso,pso,rmo: holds: -DSUCCEEDED
//: relaxed: violated: -DSUCCEEDED
// A store that depends on what a load saw comes after the load, also if the value goes through a function or is
// an operand of a compare-and-exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static atomic_int x, y;

static void store(atomic_int *location, int value) { atomic_store_explicit(location, value, RELAXED); }
static int same(int value) { return value; }

/* Stores 1, whatever the load sees. */
static int copy(atomic_int *from, atomic_int *to) {
    int seen = atomic_load_explicit(from, RELAXED);
#if defined RESULT
    atomic_store_explicit(to, same(seen) | 1, RELAXED);
#elif defined EXPECTED
    int zero = seen >> 1;
    atomic_compare_exchange_strong_explicit(to, &zero, 1, RELAXED, RELAXED);
#elif defined DESIRED
    int zero = 0;
    atomic_compare_exchange_strong_explicit(to, &zero, seen | 1, RELAXED, RELAXED);
#elif defined SUCCEEDED
    atomic_int own = 0;
    int other = seen + 1;
    int succeeded = atomic_compare_exchange_strong_explicit(&own, &other, 0, RELAXED, RELAXED);
    atomic_store_explicit(to, succeeded + 1, RELAXED);
#else
    store(to, seen | 1);
#endif
    return seen;
}

static int first;
static void *left(void *unused) {
    first = copy(&x, &y);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    int second = copy(&y, &x);
    pthread_join(thread, 0);
    assert(!first || !second);
    return 0;
}
