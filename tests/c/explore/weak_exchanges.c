// A spurious failure only repeats the loop: as many executions as with a strong compare-and-exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *increment(void *unused) {
    int expected = atomic_load_explicit(&x, memory_order_relaxed);
    while (!atomic_compare_exchange_weak(&x, &expected, expected + 1))
        ;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
}
