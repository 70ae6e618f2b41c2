//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DNO_THIRD
// What is written before a barrier is seen behind it, round after round.
#include <assert.h>
#include <pthread.h>
pthread_barrier_t barrier;
int x[2], y[2];
static void *run(void *argument) {
    long i = (long)argument;
    x[i] = 1;
    pthread_barrier_wait(&barrier);
    y[i] = x[0] + x[1];
    assert(y[i] == 2);
    pthread_barrier_wait(&barrier);
    assert(y[1 - i] == 2);
#ifndef NO_THIRD
    pthread_barrier_wait(&barrier);
#endif
    y[i] = 3;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, run, (void *)0);
    pthread_create(&b, 0, run, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_barrier_destroy(&barrier);
}
