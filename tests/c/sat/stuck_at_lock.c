/* One thread keeps the lock and never ends, one waits for the lock, and main fails. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int never, held;
static void *keeps(void *a) {
    pthread_mutex_lock(&m);
    atomic_store(&held, 1);
    while (!atomic_load(&never));
    pthread_mutex_unlock(&m);
    return 0;
}
static void *wants(void *a) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, keeps, 0);
    pthread_create(&u, 0, wants, 0);
    while (!atomic_load(&held));
    assert(0);
}
