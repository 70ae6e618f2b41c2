//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DSECOND
// One thread looks whether it was the last to arrive, the other does not.
#include <assert.h>
#include <pthread.h>
pthread_barrier_t barrier;
int last;
static void *looks(void *unused) {
    last = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    return 0;
}
static void *passes(void *unused) {
    pthread_barrier_wait(&barrier);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, looks, 0);
    pthread_create(&b, 0, passes, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef SECOND
    assert(!last);
#endif
}
