/* Mutexes of other kinds than the plain one: their owner may lock them again, or is told that it
   must not. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#ifndef INITIALISER
#define INITIALISER PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#endif
struct guarded {
    int data;
    pthread_mutex_t mutex;
};
static pthread_mutex_t alone = INITIALISER;
static struct guarded several[2] = {{0, PTHREAD_MUTEX_INITIALIZER}, {0, INITIALISER}};
static struct guarded *_Atomic chosen = &several[1];
static void *locks_twice(void *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_lock(mutex);
    assert(0);
    return 0;
}
int main(void) {
    pthread_t t;
#if WHERE == 0
    pthread_mutex_t *mutex = &alone;
#elif WHERE == 1
    pthread_mutex_t *mutex = &chosen->mutex;
#elif WHERE == 2
    pthread_mutex_t local = INITIALISER, *mutex = &local;
#elif WHERE == 3
    pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER, *mutex = &local;
    local = (pthread_mutex_t)INITIALISER;
#else
    pthread_mutexattr_t kind;
    pthread_mutex_t local, *mutex = &local;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&local, &kind);
#endif
    pthread_create(&t, 0, locks_twice, mutex);
    pthread_join(t, 0);
    return 0;
}
