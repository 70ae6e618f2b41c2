// check: dangling
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) shared;
void *reader(void *unused) {
  (void)unused;
  int *p = atomic_load(&shared);
  if (p)
    return (void *)(long)*p;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  *p = 1;
  atomic_store(&shared, p);
  pthread_create(&t, 0, reader, 0);
  atomic_store(&shared, 0);
  free(p);
  pthread_join(t, 0);
  return 0;
}
