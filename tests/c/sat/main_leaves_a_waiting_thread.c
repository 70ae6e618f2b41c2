/* A thread that nobody joins never ends, and main does: r is 0 or 1 under every model. */
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *waits(void *unused) {
    atomic_store(&x, 1);
#ifdef LOCK
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#elif !defined ENDS
    while (!atomic_load(&never)) {
    }
#endif
    return 0;
}
int main(void) {
    pthread_t thread;
#ifdef LOCK
    pthread_mutex_lock(&mutex);
#endif
    pthread_create(&thread, 0, waits, 0);
    int r = atomic_load(&x);
    fp_observe("r", r);
    return 0;
}
