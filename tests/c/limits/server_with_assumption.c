/* main ends, so the program may end, whatever the server still does. */
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int a;
static void *server(void *unused) {
  for (;;)
    a = !a;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, server, 0);
  fp_assume(a < 2);
#ifdef IMPOSSIBLE
  fp_assume(a == 2);
#endif
  return 0;
}
