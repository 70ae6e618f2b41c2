//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DTOO_LATE
// What a thread stores comes after what its creator stored before creating it, also for a third thread that runs already.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second;

static void *other(void *unused) {
  int seen = atomic_load_explicit(&second, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  assert(!seen || atomic_load_explicit(&first, memory_order_relaxed) == 1);
  return unused;
}

static void *started(void *unused) {
  atomic_store_explicit(&second, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, other, 0);
#ifndef TOO_LATE
  atomic_store_explicit(&first, 1, memory_order_relaxed);
#endif
  pthread_create(&threads[1], 0, started, 0);
#ifdef TOO_LATE
  atomic_store_explicit(&first, 1, memory_order_relaxed);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
