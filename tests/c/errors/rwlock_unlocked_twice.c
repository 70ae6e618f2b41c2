// check: misuse
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t both;
static void *reader(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    return argument;
}
int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&thread, 0, reader, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock); /* the other reader's */
    pthread_barrier_wait(&both);
    pthread_join(thread, 0);
    return 0;
}
