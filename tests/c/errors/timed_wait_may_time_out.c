// check: assertion
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int full; struct timespec ts;
void *w(void *a) {
  pthread_mutex_lock(&m);
  if (!full) { pthread_cond_timedwait(&c, &m, &ts); assert(full); }   /* fails on a time-out */
  pthread_mutex_unlock(&m); return 0;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m); full = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
