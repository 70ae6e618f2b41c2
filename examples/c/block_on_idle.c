/*
 * A bug of a production library (S. Burckhardt and M. Musuvathi, Effective program
 * verification for relaxed memory models, 2008). The consumer says that it idles, and goes
 * to sleep if there is no work. The producer says that there is work, and takes the lock to
 * wake the consumer only if that idles.
 *
 * TSO: a store-load fence on both sides, between saying and looking. Without either of them
 *      the producer sees nobody idling, the consumer sees no work and sleeps for ever.
 * PSO: the same fences are enough.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(TSO_FENCES) || defined(PSO_FENCES)
#define store_load() atomic_thread_fence(memory_order_seq_cst)
#else
#define store_load() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int is_idling;
static atomic_int has_work;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_came = PTHREAD_COND_INITIALIZER;

static void block_on_idle(void) {
    pthread_mutex_lock(&mutex);
    store(&is_idling, 1);
    store_load();
    if (!load(&has_work))
        pthread_cond_wait(&work_came, &mutex);
    store(&is_idling, 0);
    pthread_mutex_unlock(&mutex);
}

static void notify_potential_work(void) {
    store(&has_work, 1);
    store_load();
    if (load(&is_idling)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_signal(&work_came);
        pthread_mutex_unlock(&mutex);
    }
}

static void *consumer(void *arg) {
    (void)arg;
    block_on_idle();
    return NULL;
}

static void *producer(void *arg) {
    (void)arg;
    notify_potential_work();
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, consumer, NULL);
    pthread_create(&second, NULL, producer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
