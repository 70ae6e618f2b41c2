// check: out-of-bounds
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *copy = malloc(strlen("hello"));
  strcpy(copy, "hello");
  free(copy);
  return 0;
}
