/*
 * The bug of a production library that Burckhardt and Musuvathi found, their Fig. 4(b). The
 * consumer says that it idles, and goes to sleep if there is no work. The producer says that
 * there is work, and takes the lock to wake the consumer only if that idles.
 *
 * FENCED: a fence on both sides, between saying and looking. Without either of them the
 *         consumer sleeps for ever.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FENCED
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int is_idling, has_work;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_came = PTHREAD_COND_INITIALIZER;

static void block_on_idle(void) {
    pthread_mutex_lock(&mutex);
    store(&is_idling, 1);
    fence();
    if (!load(&has_work))
        pthread_cond_wait(&work_came, &mutex);
    store(&is_idling, 0);
    pthread_mutex_unlock(&mutex);
    assert(load(&has_work));
}

static void notify_potential_work(void) {
    store(&has_work, 1);
    fence();
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

int main(void) {
    pthread_t second;
    pthread_create(&second, NULL, consumer, NULL);
    notify_potential_work();
    pthread_join(second, NULL);
    return 0;
}
