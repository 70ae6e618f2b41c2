/* Under Relaxed a load may read an exchange of its thread before that is in memory, so an
   iteration that exchanges 1 for 1 can be noticed. */
#include <fencepost.h>
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
#define R memory_order_relaxed
static atomic_int l, stop, y, r, s;
static void *spins(void *arg) {
    while (!atomic_load_explicit(&stop, R))
        atomic_exchange_explicit(&l, 1, R);
    r = atomic_load_explicit(&l, R);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 1, R);
    return 0;
}
static void *sets(void *arg) {
    s = atomic_load_explicit(&y, R);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&l, 1, R);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, spins, 0);
    pthread_create(&u, 0, sets, 0);
    stop = 1;
    pthread_join(t, 0);
    pthread_join(u, 0);
    fp_observe("r", r);
    fp_observe("s", s);
}
