// check --model sc,tso: holds
// Cleanup handlers run where they are popped, or where the thread ends by pthread_exit, the last first.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void step(void *number) { assert(order++ == (int)(long)number); }
static void unlock(void *locked) { pthread_mutex_unlock(locked); }
static void leave(void) { pthread_exit((void *)7); }

static void *run(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cleanup_push(step, (void *)1);
  pthread_cleanup_push(step, (void *)0);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(step, (void *)9);
  pthread_cleanup_pop(0);
  leave();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, &result);
  assert(result == (void *)7 && order == 2);
  pthread_mutex_lock(&mutex);
  return 0;
}
