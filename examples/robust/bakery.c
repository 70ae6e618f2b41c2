/*
 * Lamport's bakery (L. Lamport, A new solution of Dijkstra's concurrent programming problem,
 * 1974) for two threads and three critical sections: the first thread comes twice, the
 * second once. One draws a number above all others, and waits for those with smaller ones.
 *
 * FENCED: a fence after saying that one chooses, before the numbers are read; and one after
 *         choosing, before the others are looked at.
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

enum { THREADS = 2 };

static atomic_int choosing[THREADS];
static atomic_int number[THREADS];
static int counter;

static int choose(int me) {
    int highest = 0;
    store(&choosing[me], 1);
    fence();
    for (int each = 0; each < THREADS; each++) {
        int theirs = load(&number[each]);
        if (theirs > highest)
            highest = theirs;
    }
    store(&number[me], highest + 1);
    store(&choosing[me], 0);
    fence();
    return highest + 1;
}

/* True if somebody with this number goes first. */
static int goes_first(int other, int theirs, int me, int mine) {
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
}

static void lock(int me) {
    int mine = choose(me);
    for (int other = 0; other < THREADS; other++) {
        if (other == me)
            continue;
        while (load(&choosing[other]))
            ;
        while (goes_first(other, load(&number[other]), me, mine))
            ;
    }
}

static void unlock(int me) {
    store(&number[me], 0);
}

static void work(int me) {
    lock(me);
    counter++;
    unlock(me);
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
    work(0);
    pthread_join(second, NULL);
    assert(counter == 3);
    return 0;
}
