// check --unroll 3: undecided
#include <assert.h>
int count;
int main(void) {
  for (int i = 0; i < 5; i++)
    count++;
  assert(count == 4);
  return 0;
}
