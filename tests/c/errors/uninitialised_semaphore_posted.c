// check: misuse
#include <semaphore.h>
#include <stdlib.h>
int main(void) {
  sem_t *s = malloc(sizeof *s);
  sem_post(s);
  free(s);
  return 0;
}
