//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DREAD
// A counter that is only counted on tells no two iterations apart, so that a thread waits in its loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop, locked;
static int count;
static void *work(void *unused) {
    long rounds = 0;
#ifdef READ
    while (!atomic_load(&stop) && rounds < 4)
        rounds++;
    assert(rounds < 3);
#else
    while (!atomic_load(&stop))
        rounds++;
#endif
    return unused;
}
static void *increment(void *unused) {
    int attempts = 0;
    while (atomic_exchange(&locked, 1))
        attempts++;
    count++;
    atomic_store(&locked, 0);
    return unused;
}
int main(void) {
    pthread_t worker, a, b;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    atomic_store(&stop, 1);
    pthread_join(worker, 0);
}
