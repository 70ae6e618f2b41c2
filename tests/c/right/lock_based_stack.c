// check: holds
// A stack under a mutex needs no fences.
#include <assert.h>
#include <pthread.h>

enum { ROOM = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[ROOM];
static int height;

static void push(int item) {
  pthread_mutex_lock(&lock);
  assert(height < ROOM);
  items[height++] = item;
  pthread_mutex_unlock(&lock);
}

/* 0 if the stack is empty. */
static int pop(void) {
  pthread_mutex_lock(&lock);
  int item = height > 0 ? items[--height] : 0;
  pthread_mutex_unlock(&lock);
  return item;
}

static void *producer(void *unused) {
  push(1);
  push(2);
  return unused;
}

static void *consumer(void *taken) {
  *(int *)taken = pop();
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  int first, second;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, &first);
  pthread_create(&c, 0, consumer, &second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(first == 0 || first != second);
  assert((first != 0) + (second != 0) + height == 2);
  return 0;
}
