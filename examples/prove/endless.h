/*
 * What the programs of this directory have in common. Their threads run for ever: nothing is
 * unrolled, and a proof is for any number of rounds and for store buffers of any size.
 *
 * -DFENCES puts the fences in that the algorithm needs under TSO.
 */
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCES
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence() ((void)0)
#endif

typedef atomic_uchar cell;

#define load(location) atomic_load_explicit(location, memory_order_relaxed)
#define store(location, value) atomic_store_explicit(location, value, memory_order_relaxed)

/* Goes on once the condition holds. */
#define await(condition) fp_assume(condition)

/* Two threads that are in here together are noticed by the second. */
static cell inside;

static inline void critical_section(void) {
    unsigned char before = atomic_exchange_explicit(&inside, 1, memory_order_relaxed);
    assert(before == 0);
    store(&inside, 0);
}

static int names[] = {0, 1, 2, 3};

static inline void run(void *(*code)(void *), int count) {
    pthread_t threads[4];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, code, &names[i]);
}
