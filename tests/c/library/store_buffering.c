/*
 * Store buffering with a call of the library, OP, between the store and the load; BEFORE comes first
 * of all. Each thread has objects of its own (o), so that nothing is contended. What OP must
 * order under which model stands in orders.tsv. With NATIVE it is a program to run: it
 * prints how often both loads missed the other thread's store.
 * With PLAIN there are only the objects that the engine sat knows.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#define R memory_order_relaxed

struct objects {
    pthread_mutex_t mutex, held, recursive, fresh;
    pthread_spinlock_t spin, held_spin;
    sem_t full, empty;
    pthread_rwlock_t lock, read_lock, write_lock;
    pthread_cond_t condition;
    pthread_barrier_t barrier;
    pthread_once_t once;
    mtx_t mtx;
    cnd_t cnd;
    pthread_key_t key;
    int value;
} objects[2];
pthread_key_t key;
struct timespec now;
static atomic_int x, y;
static int a, b;

static void nothing(void) {}

static void initialise(struct objects *o) {
    pthread_mutex_init(&o->mutex, 0);
    pthread_mutex_init(&o->held, 0);
    pthread_spin_init(&o->spin, 0);
    pthread_spin_init(&o->held_spin, 0);
    sem_init(&o->full, 0, 1);
    sem_init(&o->empty, 0, 0);
    mtx_init(&o->mtx, mtx_plain);
    pthread_once(&o->once, nothing);
#ifndef PLAIN
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&o->recursive, &attributes);
    pthread_rwlock_init(&o->lock, 0);
    pthread_rwlock_init(&o->read_lock, 0);
    pthread_rwlock_init(&o->write_lock, 0);
    pthread_cond_init(&o->condition, 0);
    pthread_barrier_init(&o->barrier, 0, 1);
    cnd_init(&o->cnd);
#endif
}

static void before(struct objects *o) {
    (void)o;
    BEFORE;
}

static void first(struct objects *o) {
    (void)o;
    atomic_store_explicit(&x, 1, R);
    OP;
    a = atomic_load_explicit(&y, R);
}

static void second(struct objects *o) {
    (void)o;
    atomic_store_explicit(&y, 1, R);
    OP;
    b = atomic_load_explicit(&x, R);
}

#ifndef NATIVE
static void *run_first(void *o) {
    before(o);
    first(o);
    return 0;
}

static void *run_second(void *o) {
    before(o);
    second(o);
    return 0;
}

int main(void) {
    pthread_t s, t;
    initialise(&objects[0]);
    initialise(&objects[1]);
    pthread_key_create(&key, 0);
    pthread_create(&s, 0, run_first, &objects[0]);
    pthread_create(&t, 0, run_second, &objects[1]);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a || b);
}
#else
#include <stdio.h>
#include <string.h>

static atomic_int go, done, ready;

static void meet(int round) {
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < 2 * round)
        sched_yield();
}

static void *run_second(void *o) {
    for (int round = 1; round <= NATIVE; round++) {
        while (atomic_load(&go) != round)
            sched_yield();
        before(o);
        meet(round);
        second(o);
        atomic_store(&done, round);
    }
    return 0;
}

static void reset(void) {
    for (int i = 0; i < 2; i++)
        if (objects[i].key)
            pthread_key_delete(objects[i].key);
    memset(objects, 0, sizeof objects);
    initialise(&objects[0]);
    initialise(&objects[1]);
    x = y = 0;
}

int main(void) {
    pthread_t t;
    int seen = 0;
    pthread_key_create(&key, 0);
    pthread_create(&t, 0, run_second, &objects[1]);
    for (int round = 1; round <= NATIVE; round++) {
        reset();
        atomic_store(&go, round);
        before(&objects[0]);
        meet(round);
        first(&objects[0]);
        while (atomic_load(&done) != round)
            sched_yield();
        seen += !a && !b;
    }
    printf("%d\n", seen);
    return 0;
}
#endif
