// check: holds
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *read_then_write(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    /* The other thread may still read, which makes this wait, not fail. */
    int result = pthread_rwlock_wrlock(&lock);
    assert(result == 0);
    pthread_rwlock_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, read_then_write, 0);
    pthread_create(&b, 0, read_then_write, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
