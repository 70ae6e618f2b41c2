//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DCOUNTS
//: sc,tso,pso: violated: -DONCE
// A spurious failure that only repeats the loop changes nothing; one that is counted, or not retried, does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
int failures;
static void *increment(void *unused) {
    int expected = atomic_load_explicit(&x, memory_order_relaxed);
#ifdef ONCE
    atomic_compare_exchange_weak(&x, &expected, expected + 1);
#else
    int attempts = 0;
    while (attempts < 3 && !atomic_compare_exchange_weak_explicit(&x, &expected, expected + 1, memory_order_acq_rel, memory_order_relaxed)) {
#ifdef COUNTS
        attempts++;
#endif
    }
#endif
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, increment, 0);
    increment(0);
    pthread_join(t, 0);
    assert(x == 2);
}
