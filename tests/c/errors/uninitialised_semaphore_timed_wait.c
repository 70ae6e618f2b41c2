// check: misuse
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
  sem_t *s = malloc(sizeof *s);
  struct timespec now = {0, 0};
  sem_timedwait(s, &now);
  return 0;
}
