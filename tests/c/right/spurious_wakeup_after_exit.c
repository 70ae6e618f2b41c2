// check --spurious: holds
// The program has ended by the time that nobody but a spurious wake-up could wake the thread.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *wait(void *a) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return a;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, wait, 0);
    exit(0);
}
