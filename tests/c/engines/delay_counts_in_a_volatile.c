//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DWRONG
// A lock with exponential back-off. The counter of the delay is volatile and stays in its function: it is a register, and
// iterations of the lock are the same once the delay has stopped to grow.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int locked;
static int count;
static void lock(void) {
    int delay = 1;
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire)) {
        for (volatile int i = 0; i < delay; i++)
            ;
        if (delay < 64)
            delay *= 2;
    }
}
static void unlock(void) { atomic_store_explicit(&locked, 0, memory_order_release); }
static void *run(void *unused) {
    lock();
#ifdef WRONG
    unlock();
    count++;
#else
    count++;
    unlock();
#endif
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
}
