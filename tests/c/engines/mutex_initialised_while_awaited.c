//: sc,tso,pso: violated
// Whether a thread waits to take the mutex again is no part of the mutex that the other thread stores.
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int full;
static struct timespec until;
static void *wait(void *a) {
    pthread_mutex_lock(&mutex);
    if (!full) pthread_cond_timedwait(&condition, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    return a;
}
static void *initialise(void *a) {
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_init(&mutex, 0);
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, wait, 0);
    pthread_create(&second, 0, initialise, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
