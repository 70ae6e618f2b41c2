// check: holds
#include <assert.h>
#include <threads.h>
mtx_t m;
int count;
int worker(void *unused) {
  (void)unused;
  mtx_lock(&m);
  count++;
  mtx_unlock(&m);
  return 7;
}
int main(void) {
  thrd_t t;
  int result;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, worker, 0);
  mtx_lock(&m);
  count++;
  mtx_unlock(&m);
  thrd_join(t, &result);
  assert(count == 2 && result == 7);
  mtx_destroy(&m);
  return 0;
}
