#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <fencepost.h>
atomic_int x, y;
#define R memory_order_relaxed
static void *t0(void *a) {
#ifdef A
  atomic_load_explicit(&x, memory_order_acquire); atomic_thread_fence(memory_order_acq_rel);
#endif
  atomic_store_explicit(&y, 2, R); atomic_store_explicit(&y, 1, memory_order_release); return 0; }
static void *t1(void *a) {
#ifdef LOOP
  while (atomic_load_explicit(&y, R) != 2);
#else
  int v = atomic_load_explicit(&y, R); fp_assume(v == 2);
#endif
  atomic_load_explicit(&x, memory_order_acquire);
  int r = atomic_load_explicit(&y, R);
  fp_observe("r", r);
  return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t0,0); pthread_create(&b,0,t1,0); pthread_join(a,0); pthread_join(b,0); }
