//: sc,tso,pso,relaxed: violated
//: sc,tso,pso,relaxed: violated: -DOTHERS_FIRST
//: sc,tso,pso,relaxed: violated: -DLOADS
// The first exchange fails, and so does the second one, which finds what the first one expected: as if the first one had failed
// only then, which it would not have.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, other;
static void *add(void *unused) {
    int expected = 0, loaded = 0;
    if (atomic_compare_exchange_strong(&count, &expected, 5))
        return 0;
    do {
#ifdef LOADS
        loaded = atomic_load(&other);
#endif
    } while (!atomic_compare_exchange_strong(&count, &expected, expected + 1 + loaded));
    assert(expected != 0);
    return 0;
}
static void *there_and_back(void *unused) {
    atomic_store(&count, 1);
    atomic_store(&count, 0);
    return 0;
}
int main(void) {
    pthread_t a, b;
#ifdef OTHERS_FIRST
    pthread_create(&b, 0, there_and_back, 0);
    pthread_create(&a, 0, add, 0);
#else
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, there_and_back, 0);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
