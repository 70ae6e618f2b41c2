// check: holds
#include <assert.h>
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key;
int made, destroyed;
void destroy(void *value) { destroyed += *(int *)value; }
void make(void) {
  made++;
  pthread_key_create(&key, destroy);
}
static int value = 5;
void *worker(void *unused) {
  (void)unused;
  pthread_once(&once, make);
  pthread_setspecific(key, &value);
  assert(pthread_getspecific(key) == &value);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_once(&once, make);
  pthread_join(t, 0);
  assert(made == 1 && destroyed == 5 && pthread_getspecific(key) == 0);
  return 0;
}
