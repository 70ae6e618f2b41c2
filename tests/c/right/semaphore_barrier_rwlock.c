// check: holds
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t s;
pthread_barrier_t b;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *worker(void *unused) {
  (void)unused;
  pthread_rwlock_wrlock(&rw);
  x = 1;
  pthread_rwlock_unlock(&rw);
  sem_post(&s);
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, worker, 0);
  sem_wait(&s);
  pthread_rwlock_rdlock(&rw);
  assert(x == 1);
  pthread_rwlock_unlock(&rw);
  pthread_barrier_wait(&b);
  pthread_join(t, 0);
  return 0;
}
