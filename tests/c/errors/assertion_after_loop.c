// check: assertion
#include <assert.h>
#include <pthread.h>
int count;
int main(void) {
  for (int i = 0; i < 100; i++)
    count++;
  assert(count == 99);
  return 0;
}
