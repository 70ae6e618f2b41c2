//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DODD
//: sc,tso,pso: violated: -DCONSTANT
// An exchange that does not expect what the attempt read may fail for ever, although nobody interferes: a deadlock.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *attempt(void *unused) {
    for (;;) {
        int read = atomic_load_explicit(&x, memory_order_relaxed);
        int other = atomic_load_explicit(&y, memory_order_relaxed);
#if defined ODD
        int expected = read | 1;
#elif defined CONSTANT
        int expected = 1;
#else
        int expected = read + 1;
#endif
        if (atomic_compare_exchange_strong(&x, &expected, 6 + 0 * other))
            break;
    }
    return 0;
}
static void *store(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, attempt, 0);
    pthread_create(&b, 0, store, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
