//: sc,tso,pso,relaxed: violated
//: sc,tso,pso,relaxed: violated: -DOTHERS_FIRST
// What is loaded after a failed exchange is what the next attempt expects. If it is what the last one expected, the iteration was
// silent, and the thread stands before that load: another execution loads earlier.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void *add(void *unused) {
    int expected = 0;
    for (;;) {
        int found = expected;
        if (atomic_compare_exchange_strong(&count, &found, expected + 2))
            break;
        expected = atomic_load(&count);
    }
    assert(expected != 2);
    return 0;
}
static void *there_and_back(void *unused) {
    atomic_store(&count, 2);
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
