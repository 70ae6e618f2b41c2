// An update is lost if a thread is preempted between its load and its store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

static void *increment(void *unused) {
  int seen = atomic_load_explicit(&counter, memory_order_relaxed);
  atomic_store_explicit(&counter, seen + 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
