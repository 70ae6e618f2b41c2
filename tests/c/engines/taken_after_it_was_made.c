//: sc,tso,pso,rmo: holds: -DSEMAPHORE
//: sc,tso,pso,rmo: holds: -DSPIN
//: sc,tso,pso: holds: -DRWLOCK
// A lock is made, by stores that may wait, and taken by the same thread: taking it comes after those stores.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

atomic_int x;

static void *other(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
#ifdef SEMAPHORE
  static sem_t lock;
  sem_init(&lock, 0, 1);
  sem_wait(&lock);
  assert(sem_trywait(&lock) != 0);
#elif defined(RWLOCK)
  static pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
#else
  static pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  assert(pthread_spin_trylock(&lock) == 0);
  pthread_spin_unlock(&lock);
#endif
  pthread_join(thread, 0);
  return 0;
}
