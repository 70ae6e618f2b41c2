//: sc,tso,pso,rmo: holds
//: sc,tso,pso,rmo: violated: -DTOO_FEW
// A loop around a loop, both of which wait, and more than once: no iteration that changes nothing is counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int busy, stage;

static void *worker(void *unused) {
  for (int i = 1; i <= 3; i++) {
    atomic_store(&busy, 1);
    atomic_store(&stage, i);
    atomic_store(&busy, 0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  do
    while (atomic_load(&busy))
      ;
#ifdef TOO_FEW
  while (atomic_load(&stage) < 2);
#else
  while (atomic_load(&stage) < 3);
#endif
  assert(atomic_load(&stage) == 3);
  pthread_join(thread, 0);
  return 0;
}
