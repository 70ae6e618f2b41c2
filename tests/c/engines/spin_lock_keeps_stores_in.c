//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DTWICE
// What is stored under a spin lock is there for whoever takes it next.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static pthread_spinlock_t lock;
static atomic_int x, y;

static void *stores(void *unused) {
    if (pthread_spin_trylock(&lock))
        return unused;
    atomic_store_explicit(&x, 1, RELAXED);
#ifdef TWICE
    pthread_spin_unlock(&lock);
    if (pthread_spin_trylock(&lock))
        return unused;
#endif
    atomic_store_explicit(&y, 1, RELAXED);
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, 0);
    pthread_create(&thread, 0, stores, 0);
    if (!pthread_spin_trylock(&lock)) {
        int first = atomic_load_explicit(&x, RELAXED), second = atomic_load_explicit(&y, RELAXED);
        pthread_spin_unlock(&lock);
        assert(first == second);
    }
    pthread_join(thread, 0);
    return 0;
}
