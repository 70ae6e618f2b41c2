// A lock that is destroyed while it is free may be taken before the store that destroys it leaves the store buffer. The
// thread that holds it may give it back before that, too.
//: pthread_spin_destroy: lock is held
//: pthread_spin_trylock: the object is not initialised
//:tso,pso: pthread_spin_unlock: the object is not initialised
//:tso,pso: assertion `!missed` fails
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t lock;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int message, missed;
static void *holder(void *a) {
    if (pthread_spin_trylock(&lock) == 0) {
        __atomic_store_n(&message, 1, __ATOMIC_RELAXED);
        pthread_spin_unlock(&lock);
    }
    return a;
}
static void *destroyer(void *a) {
    pthread_spin_destroy(&lock);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    missed = !__atomic_load_n(&message, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t threads[2];
    pthread_spin_init(&lock, 0);
    pthread_create(&threads[0], 0, holder, 0);
    pthread_create(&threads[1], 0, destroyer, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(!missed);
    return 0;
}
