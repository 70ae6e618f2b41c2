// Unlocking an error-checking mutex that another thread holds, or nobody, only loads the owner: the load overtakes the
// store before it, whatever the owner is.
#define _GNU_SOURCE
#include <pthread.h>
static int x;
static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static void *fails(void *a) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&mutex);
    return a;
}
static void *locks(void *a) {
    if (pthread_mutex_trylock(&mutex) == 0) {
        __atomic_store_n(&x, 2, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&mutex);
    }
    return a;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, fails, 0);
    pthread_create(&threads[1], 0, locks, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
