/*
 * What the data types of this folder are made of: single accesses without any order of their
 * own, compare-and-swap, double compare-and-swap, numbered fences, and a spin lock.
 *
 * All accesses are memory_order_relaxed: each is one load or store of the machine, and fences
 * are the only thing that keeps two of them in order. That holds for compare-and-swap, too,
 * as in CheckFence (Burckhardt, Alur, Martin, PLDI 2007), Fig. 6.
 *
 * Fences: FENCE(3, FP_LOAD_LOAD) is the third fence of its data type.
 *   -DNO_FENCES    leaves all of them out
 *   -DWITHOUT=3    leaves out the third
 * The fences of the lock belong to the lock and are always there.
 */
#ifndef DATATYPES_ATOMICS_H
#define DATATYPES_ATOMICS_H

#include <assert.h>
#include <fencepost.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

/* If the place holds `from`, `to` takes its place, in one step. Tells whether it did. */
#define cas(place, from, to)                                                                   \
    ({                                                                                         \
        __typeof__(load(place)) expected = (from);                                             \
        atomic_compare_exchange_strong_explicit(place, &expected, to, memory_order_relaxed,    \
                                                memory_order_relaxed);                         \
    })

/* The same for two places at once. Few machines have it; here it is an atomic section. */
#define dcas(place, other_place, from, other_from, to, other_to)                               \
    ({                                                                                         \
        fp_atomic_begin();                                                                     \
        bool both = load(place) == (from) && load(other_place) == (other_from);                \
        if (both) {                                                                            \
            store(place, to);                                                                  \
            store(other_place, other_to);                                                      \
        }                                                                                      \
        fp_atomic_end();                                                                       \
        both;                                                                                  \
    })

#ifndef WITHOUT
#define WITHOUT 0
#endif

#ifdef NO_FENCES
#define FENCE(number, kinds) ((void)0)
#else
#define FENCE(number, kinds) ((number) == WITHOUT ? (void)0 : fp_fence(kinds))
#endif

/* The lock of CheckFence, Fig. 7, which comes from the SPARC v9 manual: what is done under it
 * stays between lock and unlock. */
enum { FREE, HELD };

typedef atomic_int lock_t;

static inline void lock(lock_t *lock) {
    while (atomic_exchange_explicit(lock, HELD, memory_order_relaxed) != FREE)
        ;
    fp_fence(FP_LOAD_LOAD | FP_LOAD_STORE);
}

static inline void unlock(lock_t *lock) {
    fp_fence(FP_LOAD_STORE | FP_STORE_STORE);
    int before = atomic_exchange_explicit(lock, FREE, memory_order_relaxed);
    assert(before == HELD);
}

#endif
