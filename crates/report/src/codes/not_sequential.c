#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *other(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(t, 0);
}
