// check: misuse
#include <fencepost.h>
int main(void) {
  volatile int n = -3;
  return (int)fp_choose((unsigned)n);
}
