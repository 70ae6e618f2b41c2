/* A thread that computes on its own and never comes to a visible step. */
#include <pthread.h>
static void *spin(void *unused) {
  volatile unsigned n = 0;
  for (;;)
    n = n * 3 + 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spin, 0);
  pthread_join(t, 0);
}
