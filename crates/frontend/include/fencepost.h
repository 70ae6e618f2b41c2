/*
 * fencepost.h: what a C program may say to Fencepost.
 *
 * Fencepost finds this header by itself: `#include <fencepost.h>` is enough. The same
 * program can be compiled as usual with `-I` and the folder of this file; the functions
 * below then do what comes closest, as said at each.
 *
 * Fencepost defines __FENCEPOST__.
 */
#ifndef FENCEPOST_H
#define FENCEPOST_H

/* Kinds of fences, to be combined with `|`: which earlier accesses of the thread come
 * before which later ones. */
#define FP_LOAD_LOAD 1   /* loads before loads */
#define FP_LOAD_STORE 2  /* loads before stores */
#define FP_STORE_LOAD 4  /* stores before loads */
#define FP_STORE_STORE 8 /* stores before stores */
#define FP_FULL 15       /* everything before everything */

#ifdef __FENCEPOST__

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is 0 here do not count: nothing is said of them, and
 * they are not a way in which the program ends.
 * Natively: calls abort() if the condition is 0. */
void fp_assume(int condition);

/* A number from 0 to n-1; all of them are tried. n must not be 0.
 * Natively: rand() % n. */
unsigned fp_choose(unsigned n);

/* Makes a value part of the outcome, under a name, which must be a string literal.
 * `fencepost outcomes` lists the combinations of values. Of several calls with one name the
 * last counts.
 * Natively: does nothing. */
void fp_observe(const char *name, long value);

/* A fence of these kinds, which must be constant, such as FP_STORE_LOAD | FP_STORE_STORE.
 * Natively: a full fence. */
void fp_fence(int kinds);

/* What stands between the two happens in one step: no other thread runs in between.
 * Natively: does nothing. */
void fp_atomic_begin(void);
void fp_atomic_end(void);

#ifdef __cplusplus
}
#endif

#else /* compiled to run */

#include <stdlib.h>

#define FP_NATIVE static __inline__ __attribute__((unused))

FP_NATIVE void fp_assume(int condition) {
    if (!condition)
        abort();
}

FP_NATIVE unsigned fp_choose(unsigned n) { return (unsigned)rand() % n; }

FP_NATIVE void fp_observe(const char *name, long value) {
    (void)name;
    (void)value;
}

FP_NATIVE void fp_fence(int kinds) {
    (void)kinds;
    __sync_synchronize();
}

FP_NATIVE void fp_atomic_begin(void) {}
FP_NATIVE void fp_atomic_end(void) {}

#undef FP_NATIVE

#endif
#endif
