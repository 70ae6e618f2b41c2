// Under PSO a store overtakes the release store of a spin unlock, and so the lock looks taken; a
// fence between them, or TSO, keeps them in order. What comes before the unlock stays before it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static atomic_int x, y;

static void *worker(void *unused) {
    pthread_spin_lock(&lock);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    pthread_spin_unlock(&lock);
#ifndef WITHOUT
#ifdef FENCE
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&x, 1, memory_order_relaxed);
#endif
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, 0, worker, 0);
    if (atomic_load_explicit(&x, memory_order_relaxed) == 1
        && pthread_spin_trylock(&lock) == 0)
        pthread_spin_unlock(&lock);
    if (pthread_spin_trylock(&lock) == 0) {
        atomic_load_explicit(&y, memory_order_relaxed);
        pthread_spin_unlock(&lock);
    }
    pthread_join(thread, 0);
    return 0;
}
