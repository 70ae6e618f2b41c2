// check: uninitialised
#include <stdlib.h>
int main(void) {
  int *flags = malloc(2 * sizeof *flags);
  flags[0] = 1;
  int result = 0;
  if (flags[1])
    result = 1;
  free(flags);
  return result;
}
