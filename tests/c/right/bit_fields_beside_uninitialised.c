// check: holds
#include <assert.h>
#include <stdlib.h>
struct flags {
  unsigned a : 3;
  unsigned b : 5;
};
int main(void) {
  struct flags *f = malloc(sizeof *f);
  f->b = 9;
  assert(f->b == 9);
  free(f);
  return 0;
}
