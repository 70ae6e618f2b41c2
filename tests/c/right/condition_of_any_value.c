// check: holds
// A value of which only counts whether it is zero has two cases, and nothing is cut.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int turns = 0;
  if (__VERIFIER_nondet_int())
    turns++;
  _Bool more = __VERIFIER_nondet_int() != 0;
  assert(turns + more <= 2);
  return 0;
}
