/*
 * The bug of Parker in the Java virtual machine (D. Dice, A race in LockSupport park()
 * arising from weak memory models, 2009). A thread parks until it has a permit; unpark
 * gives one, and signals only if there was none. (The original takes the mutex in park by a
 * try, and returns if that fails.)
 *
 * TSO: a store-load fence after park has taken a permit without the lock. Without it the
 *      caller looks at its condition while the permit is still there for others to see;
 *      unpark finds it and does not signal; then it vanishes, and the thread parks for ever.
 * PSO: also a store-store fence after the condition is set. Taking a mutex acquires, and does
 *      not wait for earlier stores: the permit could be seen before the condition.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(TSO_FENCES) || defined(PSO_FENCES)
#define store_load() atomic_thread_fence(memory_order_seq_cst)
#else
#define store_load() ((void)0)
#endif
#ifdef PSO_FENCES
#define store_store() atomic_thread_fence(memory_order_release)
#else
#define store_store() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int permit = 1; /* left over from an earlier unpark */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unparked = PTHREAD_COND_INITIALIZER;

static atomic_int condition;

static void park(void) {
    if (load(&permit)) {
        store(&permit, 0);
        store_load();
        return;
    }
    pthread_mutex_lock(&mutex);
    if (!load(&permit))
        pthread_cond_wait(&unparked, &mutex);
    store(&permit, 0);
    pthread_mutex_unlock(&mutex);
}

static void unpark(void) {
    pthread_mutex_lock(&mutex);
    int before = load(&permit);
    store(&permit, 1);
    pthread_mutex_unlock(&mutex);
    if (!before)
        pthread_cond_signal(&unparked);
}

static void *waiter(void *arg) {
    (void)arg;
    while (!load(&condition))
        park();
    return NULL;
}

static void *waker(void *arg) {
    (void)arg;
    store(&condition, 1);
    store_store();
    unpark();
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, waker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
