// check: assertion
#include <assert.h>
#include <pthread.h>
int done;
void *worker(void *unused) {
  (void)unused;
  assert(done == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  done = 1;
  return 0;
}
