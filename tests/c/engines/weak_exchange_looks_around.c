//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DGIVES_UP
// Between a spurious failure and the next attempt the loop reads another location.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, stop;
static void *increment(void *unused) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&x, &expected, 1)) {
        if (atomic_load(&stop))
            return 0;
        expected = 0;
    }
    return 0;
}
static void *end(void *unused) {
#ifdef GIVES_UP
    atomic_store(&stop, 1);
#endif
    return 0;
}
int main(void) {
    pthread_t t, s;
    pthread_create(&t, 0, increment, 0);
    pthread_create(&s, 0, end, 0);
    pthread_join(t, 0);
    pthread_join(s, 0);
    assert(x == 1);
}
