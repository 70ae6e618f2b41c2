/* What an iteration of a waiting loop stored to memory of its own is read afterwards, on one of
   many ways: each READ is one. The assertions fail only if the loop went round. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static atomic_int flag, other, stored;
static void *_Atomic given;
static _Atomic uintptr_t packed;

static int looked(volatile int *at) { return *at; }

static int waits_for_flag(volatile int *waited) {
    while (!atomic_load(&flag))
        *waited = 1;
    return 1;
}

static int ended_by(volatile int *waited) {
    for (;;) {
        if (atomic_load(&other))
            return 0;
        if (atomic_load(&flag))
            return 1;
        *waited = 1;
    }
}

static void reports(int found, int waited) {
    if (found)
        assert(!waited);
}

static void *waits(void *arg) {
    volatile int waited[4] = {0, 0, 0, 0};
#if READ == 0 /* in the next iteration */
    while (!atomic_load(&flag)) {
        assert(!waited[0]);
        waited[0] = 1;
    }
#elif READ == 1 /* by a function that is called after the loop */
    while (!atomic_load(&flag))
        waited[0] = 1;
    assert(!looked(waited));
#elif READ == 2 /* by the caller of the function with the loop */
    waits_for_flag(waited);
    assert(!waited[0]);
#elif READ == 3 /* by the caller, on one of two ways out */
    if (ended_by(waited))
        assert(!waited[0]);
#elif READ == 4 /* at an index that is not known */
    while (!atomic_load(&flag))
        waited[1] = 1;
    assert(!waited[atomic_load(&flag)]);
#elif READ == 5 /* after another loop that waits */
    while (!atomic_load(&flag))
        waited[0] = 1;
    while (!atomic_load(&flag))
        waited[1] = 1;
    assert(!waited[0]);
#elif READ == 6 /* in part, when some of it has been overwritten */
    while (!atomic_load(&flag))
        *(volatile int *)waited = 0x101;
    *(volatile char *)waited = 0;
    assert(!waited[0]);
#elif READ == 7 /* through a pointer that was stored */
    atomic_store(&given, (void *)waited);
    while (!atomic_load(&flag))
        waited[0] = 1;
    volatile int *found = atomic_load(&given);
    assert(!found[0]);
#elif READ == 8 /* through a pointer that is stored after the loop, packed */
    while (!atomic_load(&flag))
        waited[0] = 1;
    atomic_store(&packed, (uintptr_t)waited << 8 | 3);
    volatile int *found = (volatile int *)(atomic_load(&packed) >> 8);
    assert(!found[0]);
#elif READ == 9 /* unless a store comes before it, which it does not on every path */
    while (!atomic_load(&flag))
        waited[0] = 1;
    if (atomic_load(&other))
        waited[0] = 0;
    assert(!waited[0]);
#elif READ == 10 /* by a read-modify-write */
    _Atomic int counted = 0;
    while (!atomic_load(&flag))
        atomic_store_explicit(&counted, 1, memory_order_relaxed);
    assert(!atomic_exchange(&counted, 2));
#elif READ == 11 /* by what the thread gives it to */
    int *node = malloc(sizeof *node);
    *node = 0;
    while (!atomic_load(&flag))
        *(volatile int *)node = 1;
    return node;
#elif READ == 12 /* in the outer loop's next iteration */
    for (int round = 0; round < 2; round++) {
        assert(!waited[0]);
        while (!atomic_load(&flag))
            waited[0] = 1;
    }
#elif READ == 13 /* in an iteration after some that are left early */
    int rounds = 0;
    while (!atomic_load(&flag) || ++rounds < 3) {
        if (atomic_load(&flag))
            continue;
        waited[0] = 1;
    }
    assert(!waited[0]);
#elif READ == 14 /* as an argument, which is used only sometimes */
    int found = ended_by(waited);
    reports(found, waited[0]);
#elif READ == 15 /* by choice between two numbers */
    waits_for_flag(waited);
    int read = waited[0];
    int chosen = atomic_load(&other) ? 0 : read;
    assert(!chosen);
#elif READ == 16 /* to compute what is stored */
    waits_for_flag(waited);
    atomic_store(&stored, waited[0] * 2 + 1);
#elif READ == 17 /* as a divisor */
    waited[0] = 1;
    while (!atomic_load(&flag))
        waited[0] = 0;
    volatile int unused = 1 / waited[0];
#endif
    return 0;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, waits, 0);
    atomic_store(&flag, 1);
    pthread_join(t, &result);
    assert(stored < 2);
    assert(!result || !*(int *)result);
}
