// check --model sc,tso,pso: assertion
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
#if 0
    assert(busy == 0);          // violated: the thread may not have ended
#elif 1
    assert(busy == EBUSY);      // violated: it may have
#elif defined LATE
    // Wrong only if x was seen 1 and the thread had not ended *before* that.
    int seen = atomic_load(&x);
    assert(!(busy == EBUSY && seen == 1));
#endif
    if (busy == EBUSY) pthread_join(thread, NULL);
    return 0;
}
