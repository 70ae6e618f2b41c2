/*
 * fencepost.h: what a C program may say to Fencepost.
 *
 * Fencepost finds this header by itself: `#include <fencepost.h>` is enough. The same
 * program can be compiled as usual with `-I` and the directory of this file; the functions
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

#ifdef __cplusplus
#define FP_C extern "C"
#else
#define FP_C
#endif

/* An operation of a data type, for clients that Fencepost makes of them:
 *
 *     FP_OPERATION(d) {
 *         int value;
 *         int found = dequeue(&queue, &value);
 *         fp_result("found", found);
 *         if (found)
 *             fp_result("value", value);
 *     }
 *
 * The name is what tests such as `e(ed|de)` call it. */
#define FP_OPERATION(name)                                                                     \
    FP_C void fp_operation_##name(void);                                                       \
    FP_C void fp_operation_##name(void)

/* What a client does before its first operation. Every program has at most one. */
#define FP_INIT                                                                                \
    FP_C void fp_initialise(void);                                                             \
    FP_C void fp_initialise(void)

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

/* An argument of an operation: a number from 0 to n-1; all of them are tried. It is part of
 * what is observed of the operation, under a label, which must be a string literal. n must
 * not be 0.
 * Natively: rand() % n. */
unsigned fp_argument(const char *label, unsigned n);

/* A result of an operation: part of what is observed of it, under a label, which must be a
 * string literal. Of several calls with one label in one operation the last counts.
 * Natively: does nothing. */
void fp_result(const char *label, long value);

/* Stands where an operation starts over because another thread has come in between. Does
 * nothing, but if a primed operation of a test, such as e', comes here, the execution does
 * not count.
 * Natively: does nothing. */
void fp_retry(void);

/* Any number of threads run this function, like each thread that the program starts with it: for
 * `fencepost prove`, as its option --replicate. Other commands take the threads that there are.
 * Natively: does nothing. */
void fp_replicate(void (*function)(void));
#define fp_replicate(function) (fp_replicate)((void (*)(void))(function))

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

FP_NATIVE unsigned fp_argument(const char *label, unsigned n) {
    (void)label;
    return fp_choose(n);
}

FP_NATIVE void fp_result(const char *label, long value) { fp_observe(label, value); }

FP_NATIVE void fp_retry(void) {}

#define fp_replicate(function) ((void)(function))

FP_NATIVE void fp_fence(int kinds) {
    (void)kinds;
    __sync_synchronize();
}

FP_NATIVE void fp_atomic_begin(void) {}
FP_NATIVE void fp_atomic_end(void) {}

#undef FP_NATIVE

#endif
#endif
