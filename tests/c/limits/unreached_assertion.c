#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void unused(int a) { assert(a == 7); }
static void *writer(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int seen = x;
  assert(seen < 2);
  if (seen == 3)
    assert(x == 3);
  if (seen == 4)
    unused(seen);
  pthread_join(t, 0);
}
