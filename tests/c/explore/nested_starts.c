// Threads that start threads. Who is first makes no difference, also not to handles: each is that of the thread it was made for.
// With -DLATE a thread is started only in some executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *leaf(void *to) {
  *(pthread_t *)to = pthread_self();
  return 0;
}

void *inner(void *unused) {
  pthread_t thread, self;
#ifdef LATE
  if (atomic_load(&x) == 0) return 0;
#endif
  pthread_create(&thread, 0, leaf, &self);
  pthread_join(thread, 0);
  assert(pthread_equal(thread, self));
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, inner, 0);
  atomic_store(&x, 1);
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], 0);
    assert(!pthread_equal(threads[i], pthread_self()));
  }
}
