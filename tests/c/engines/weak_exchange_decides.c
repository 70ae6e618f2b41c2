//: rmo: holds
// The result of a weak compare-and-exchange depends on it, even after a spurious failure: the store after the branch comes after it.
#include <assert.h>
#include <pthread.h>
static int x, y, seen, first, second;
static void *decide(void *a) {
    int expected = 1;
    int wrote = __atomic_compare_exchange_n(&x, &expected, 2, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (!wrote) seen = expected;
    __atomic_store_n(&y, 2, __ATOMIC_RELAXED);
    return a;
}
static void *exchange(void *a) {
    int expected = 0;
    first = __atomic_load_n(&y, __ATOMIC_RELAXED);
    second = __atomic_compare_exchange_n(&x, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, decide, 0);
    pthread_create(&two, 0, exchange, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(!(seen == 2 && first == 2 && second));
    return 0;
}
