//: sc,tso,pso,rmo,relaxed: holds
// A store of the value that is there already is a store.
#include <pthread.h>
#include <stdatomic.h>
atomic_int x = 1;
void *t1(void *a) {
  while (1) {
    x = 1;
    if (x == 1) break;
  }
  return 0;
}
void *t2(void *a) { x = 2; return 0; }
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}
