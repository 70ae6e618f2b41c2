// check: division
#include <limits.h>
int main(void) {
  volatile int minimum = INT_MIN, minus = -1;
  return minimum / minus;
}
