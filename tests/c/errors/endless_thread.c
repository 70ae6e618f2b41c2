// check: endless
#include <pthread.h>
#include <stdatomic.h>
atomic_int a;
void *worker(void *unused) {
  for (;;)
    a = !a;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
