/*
 * genmc.h: what GenMC lets a program say, for Fencepost.
 *
 * Fencepost finds this header by itself; one in the program's own directories comes first.
 */
#ifndef GENMC_H
#define GENMC_H

#ifdef __cplusplus
extern "C" {
#endif

void __VERIFIER_assume(int condition);
int __VERIFIER_nondet_int(void);

/* Loops that wait. Fencepost finds them without help. */
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int ends);

/* Hazard pointers. What is retired is freed as soon as no hazard pointer protects it. */
typedef struct __VERIFIER_hazptr __VERIFIER_hazptr_t;
typedef __VERIFIER_hazptr_t __VERIFIER_hp_t;
__VERIFIER_hazptr_t *__VERIFIER_hazptr_alloc(void);
void __VERIFIER_hazptr_protect(__VERIFIER_hazptr_t *hazard, void *object);
void __VERIFIER_hazptr_clear(__VERIFIER_hazptr_t *hazard);
void __VERIFIER_hazptr_free(__VERIFIER_hazptr_t *hazard);
void __VERIFIER_hazptr_retire(void *object);

#define __VERIFIER_hp_alloc() __VERIFIER_hazptr_alloc()
#define __VERIFIER_hp_protect(hazard, location)                                                \
    __extension__({                                                                            \
        void *protected_ = __atomic_load_n((void **)(location), __ATOMIC_ACQUIRE);             \
        __VERIFIER_hazptr_protect((hazard), protected_);                                       \
        protected_;                                                                            \
    })
#define __VERIFIER_hp_clear(hazard) __VERIFIER_hazptr_clear(hazard)
#define __VERIFIER_hp_free(hazard) __VERIFIER_hazptr_free(hazard)
#define __VERIFIER_hp_retire(object) __VERIFIER_hazptr_retire(object)

/* What GenMC may rely on to explore less. Fencepost does not, and does what is annotated. */
#define __VERIFIER_local_write(write) write
#define __VERIFIER_final_write(write) write
#define __VERIFIER_final_CAS(exchange) exchange
#define __VERIFIER_helped_CAS(exchange) exchange
#define __VERIFIER_helping_CAS(exchange) exchange
#define __VERIFIER_speculative_read(read) read
#define __VERIFIER_speculative_CAS(exchange) exchange
#define __VERIFIER_confirming_read(read) read
#define __VERIFIER_confirming_CAS(exchange) exchange
#define __VERIFIER_optional(statement) statement

#ifdef __cplusplus
}
#endif

#endif
