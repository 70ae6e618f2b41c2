// The thread that destroys the condition variable cannot have the mutex before the other one waits.
//: pthread_cond_timedwait: the object is not initialised, in thread 1 (destroy)
//: pthread_cond_timedwait: the object is not initialised, in thread 2 (wait)
//: pthread_cond_destroy: condition is waited for, in thread 1 (destroy)
#include <pthread.h>
#include <time.h>
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int full;
static struct timespec until;
static void *destroy(void *a) {
    pthread_cond_destroy(&condition);
    pthread_mutex_lock(&mutex);
    if (!full) pthread_cond_timedwait(&condition, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    return a;
}
static void *wait(void *a) {
    pthread_mutex_lock(&mutex);
    while (!full && !pthread_cond_timedwait(&condition, &mutex, &until));
    pthread_mutex_unlock(&mutex);
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, destroy, 0);
    pthread_create(&second, 0, wait, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
