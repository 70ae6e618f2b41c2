// check: misuse
#include <semaphore.h>
#include <stdlib.h>
int main(void) {
  sem_t *s = malloc(sizeof *s);
  sem_post(s);
  return 0;
}
