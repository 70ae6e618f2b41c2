/* The worker may do anything any number of times before it is told to stop. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int stop, even;
static void *work(void *unused) {
  while (!atomic_load(&stop))
    atomic_fetch_add(&even, 2);
  return unused;
}
int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  assert(atomic_load(&even) % 2 == 0);
  atomic_store(&stop, 1);
  pthread_join(worker, 0);
  assert(even % 2 == 0);
}
