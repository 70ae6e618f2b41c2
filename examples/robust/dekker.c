/*
 * Dekker's lock for two threads (as told by E. W. Dijkstra, Cooperating sequential
 * processes, 1965), each of which enters its critical section SECTIONS times. Who finds the
 * other's flag up and does not have the turn takes the flag down until it has.
 *
 * FENCED: a fence after each raising of the flag, before the other's is read. The second one
 *         is needed only if somebody comes again, with two sections each.
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

#ifndef SECTIONS
#define SECTIONS 2
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

static atomic_int flag[2];
static atomic_int turn;
static int counter;

static void raise_flag(int me) {
    store(&flag[me], 1);
    fence();
}

static void lock(int me) {
    int other = 1 - me;
    raise_flag(me);
    while (load(&flag[other])) {
        if (load(&turn) == other) {
            store(&flag[me], 0);
            while (load(&turn) == other)
                ;
            raise_flag(me);
        }
    }
}

static void unlock(int me) {
    store(&turn, 1 - me);
    store(&flag[me], 0);
}

static void work(int me) {
    for (int section = 0; section < SECTIONS; section++) {
        lock(me);
        counter++;
        unlock(me);
    }
}

static void *second_thread(void *arg) {
    (void)arg;
    work(1);
    return NULL;
}

int main(void) {
    pthread_t second;
    pthread_create(&second, NULL, second_thread, NULL);
    work(0);
    pthread_join(second, NULL);
    assert(counter == 2 * SECTIONS);
    return 0;
}
