//: sc,tso,pso: violated: -DALWAYS_ENDED
//: sc,tso,pso: violated: -DALWAYS_BUSY
//: sc,tso,pso: violated: -DLATE
//: sc,tso,pso: holds: -DJOINED
// A thread may have ended when it is joined without waiting, or not.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

int pthread_tryjoin_np(pthread_t, void **);
static atomic_int x;

static void *worker(void *unused) {
    atomic_store(&x, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int busy = pthread_tryjoin_np(thread, NULL);
    int seen = atomic_load(&x);
#if defined ALWAYS_ENDED
    assert(busy == 0);
#elif defined ALWAYS_BUSY
    assert(busy == EBUSY);
#elif defined LATE
    assert(!(busy == EBUSY && seen == 1));
#else
    assert(busy == EBUSY || (busy == 0 && seen == 1));
#endif
    if (busy == EBUSY) pthread_join(thread, NULL);
    return 0;
}
