// check: misuse
#include <semaphore.h>
#include <stdlib.h>
int main(void) {
  int value;
  sem_t *s = malloc(sizeof *s);
  sem_getvalue(s, &value);
  return 0;
}
