// check: deadlock
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *worker(void *unused) {
  (void)unused;
  while (!atomic_load(&flag))
    ;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
