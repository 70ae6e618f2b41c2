//: sc,tso,pso,rmo,relaxed: holds
// Each of two loads through one function is a load of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int seq;
static int ld(atomic_int *p) { return *p; }
void *reader(void *a) {
  int v;
  do { v = ld(&seq); } while (ld(&seq) != v);
  return 0;
}
void *writer(void *a) { seq = 2; return 0; }
int main() {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);

  pthread_join(r, 0); pthread_join(w, 0);

}
