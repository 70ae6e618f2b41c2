#include <fencepost.h>
#include <stdatomic.h>
static atomic_int counter;
FP_OPERATION(add) {
  int seen = counter;
  counter = seen + 1; // another thread may add in between
  fp_result("now", seen + 1);
}
