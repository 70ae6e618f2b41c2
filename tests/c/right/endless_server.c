// check: holds
#include <pthread.h>
#include <stdatomic.h>
atomic_int a;
void *server(void *unused) {
  for (;;)
    a = !a;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, server, 0);
  a = 0;
  return 0;
}
