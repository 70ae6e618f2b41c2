//: sc,tso: holds
//: rmo,relaxed: violated
// A mutex that is locked keeps what comes after it behind it, not what came before it.
#include <assert.h>
#include <pthread.h>
static int x, y, seen, first;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *lock(void *a) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&mutex);
    int expected = 2;
    __atomic_compare_exchange_n(&y, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
    seen = expected;
    return a;
}
static void *exchange(void *a) {
    __atomic_store_n(&y, 2, __ATOMIC_RELAXED);
    int expected = 0;
    first = __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, lock, 0);
    pthread_create(&two, 0, exchange, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(!(first && seen == 0));
    return 0;
}
