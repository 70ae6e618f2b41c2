// check: assertion
#include <assert.h>
int main(void) {
  int x = 2;
  assert(x == 3);
  return 0;
}
