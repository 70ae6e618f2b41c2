// check --races: race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct o { atomic_int rc; int d; } *p;
void put(void) { if (atomic_fetch_sub_explicit(&p->rc, 1, memory_order_relaxed) == 1) free(p); }
void *w(void *a) { p->d = 1; put(); return 0; }
int main(void) { pthread_t t; p = malloc(sizeof *p); p->d = 0; atomic_init(&p->rc, 2);
  pthread_create(&t, 0, w, 0); put(); pthread_join(t, 0); }
