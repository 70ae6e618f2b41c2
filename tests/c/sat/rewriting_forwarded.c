/* Under Relaxed a load may read an exchange of its thread before that is in memory, so an
   iteration that writes 1 where 1 is can be noticed. */
#include <fencepost.h>
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
#define R memory_order_relaxed
static atomic_int l, stop, z, r, s;
static void *spins(void *arg) {
    while (!atomic_load_explicit(&stop, R))
        atomic_fetch_or_explicit(&l, 0, R);
    fp_atomic_begin();
    int found = atomic_load_explicit(&l, R);
    atomic_store_explicit(&z, 1, R);
    fp_atomic_end();
    atomic_store_explicit(&r, found, R);
    return 0;
}
static void *sets(void *arg) {
    int found = atomic_load_explicit(&z, R);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&l, 1, R);
    atomic_store_explicit(&s, found, R);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, spins, 0);
    pthread_create(&u, 0, sets, 0);
    atomic_store_explicit(&stop, 1, R);
    pthread_join(t, 0);
    pthread_join(u, 0);
    fp_observe("r", r);
    fp_observe("s", s);
}
