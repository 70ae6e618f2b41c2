/* A thread that computes on its own and never comes to a visible step. */
#include <pthread.h>
static void *spin(void *unused) {
  unsigned n = 0;
  while (n != 2) /* n is 0 or 1, modulo 4 */
    n = n * 3 + 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spin, 0);
  pthread_join(t, 0);
}
