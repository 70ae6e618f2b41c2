/*
 * dat3m.h: what Dartagnan lets a program say, for Fencepost.
 *
 * Fencepost finds this header by itself; one in the program's own directories comes first.
 */
#ifndef DAT3M_H
#define DAT3M_H

#ifdef __cplusplus
extern "C" {
#endif

int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

/* A bound for a loop. Fencepost lets loops have as many iterations as they have. */
void __VERIFIER_loop_bound(int bound);

/* Loops that wait. Fencepost finds them without help. */
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int ends);
#define await_while(condition) while (condition)

#ifdef __cplusplus
}
#endif

#endif
