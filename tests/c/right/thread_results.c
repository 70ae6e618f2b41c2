// check: holds
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static __thread int mine;
void *square(void *argument) {
  long n = (long)argument;
  mine = (int)n;
  return (void *)((long)mine * n);
}
int main(void) {
  pthread_t t, u;
  void *a, *b;
  pthread_create(&t, 0, square, (void *)3L);
  pthread_create(&u, 0, square, (void *)4L);
  pthread_join(t, &a);
  pthread_join(u, &b);
  assert((long)a + (long)b == 25 && mine == 0);
  return 0;
}
