// check --races: race
#include <pthread.h>
int counter;
void *worker(void *unused) {
  (void)unused;
  counter++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  counter++;
  pthread_join(t, 0);
  return 0;
}
