//: sc,tso,pso: violated
//: sc,tso,pso: holds: -DWRITER
//: sc,tso,pso: holds: -DWRITER -DTIMED
// A reader that locks for writing waits for itself; only a writer is told.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct timespec until;
static void *run(void *a) {
#ifdef WRITER
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
#endif
#ifdef TIMED
    assert(pthread_rwlock_timedwrlock(&lock, &until) == EDEADLK);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == EDEADLK);
#else
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
#endif
    pthread_rwlock_unlock(&lock);
    return a;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
