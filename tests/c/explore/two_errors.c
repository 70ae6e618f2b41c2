// Which assertion fails hangs on who comes first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *store(void *unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, store, 0);
  if (atomic_load(&x))
    assert(!"the store came first");
  else
    assert(!"the load came first");
  pthread_join(thread, 0);
  return 0;
}
