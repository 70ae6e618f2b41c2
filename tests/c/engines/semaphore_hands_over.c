//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: holds: -DCOUNTED
//: sc,tso,pso,rmo,relaxed: violated: -DTOO_MANY
//: sc,tso,pso: violated: -DNEVER_POSTED
// What was stored before a post is there after the wait that takes it, and each post lets one wait go on.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static sem_t semaphore;
static atomic_int data, entered;

static void *posts(void *unused) {
    atomic_store_explicit(&data, 1, RELAXED);
    sem_post(&semaphore);
    return unused;
}

static void *enters(void *unused) {
    sem_wait(&semaphore);
    atomic_fetch_add_explicit(&entered, 1, RELAXED);
#ifndef TOO_MANY
    assert(atomic_load_explicit(&entered, RELAXED) == 1);
    atomic_fetch_sub_explicit(&entered, 1, RELAXED);
#endif
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t thread;
#if defined COUNTED || defined TOO_MANY
    sem_init(&semaphore, 0, 1);
    pthread_create(&thread, 0, enters, 0);
    enters(0);
    pthread_join(thread, 0);
    int value = 5;
    sem_getvalue(&semaphore, &value);
    assert(value == 1 && entered == 0);
#elif defined NEVER_POSTED
    if (fp_choose(2))
        sem_wait(&semaphore);
#else
    pthread_create(&thread, 0, posts, 0);
    sem_wait(&semaphore);
    assert(atomic_load_explicit(&data, RELAXED) == 1);
    pthread_join(thread, 0);
#endif
    return 0;
}
