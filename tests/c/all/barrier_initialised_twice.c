// A barrier is initialised twice while a thread may arrive. Under PSO the first initialisation may leave the store buffer behind
// the arrival, so that the barrier's bytes no longer show to the second one that a thread waits.
//: pthread_barrier_init: a thread waits at barrier
//: pthread_barrier_init: a thread waits at barrier
//: deadlock: main and thread 1
//: deadlock: main can
//: assertion `!busy` fails
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *initialiser(void *a) {
    pthread_barrier_init(&barrier, 0, 2);
    pthread_barrier_init(&barrier, 0, 2);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return a;
}
int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, initialiser, 0);
    int busy = pthread_mutex_trylock(&mutex);
    assert(!busy);
    pthread_barrier_wait(&barrier);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
