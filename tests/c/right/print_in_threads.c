// check: holds
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#ifdef QUIET
#define printf(...) (void)0
#endif
atomic_int x;
void *worker(void *name) {
  printf("%s starts\n", (char *)name);
  atomic_fetch_add(&x, 1);
  printf("%s ends\n", (char *)name);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, "one");
  pthread_create(&u, 0, worker, "two");
  pthread_join(t, 0);
  pthread_join(u, 0);
  printf("%d\n", x);
  return 0;
}
