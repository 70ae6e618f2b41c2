// check: holds
// Constructors run before main, lower priorities first; handlers and destructors after it, the last first.
#include <assert.h>
#include <stdlib.h>

static int order;
static void step(int number) { assert(order++ == number); }

__attribute__((constructor(201))) static void second(void) { step(1); }
__attribute__((constructor(200))) static void first(void) { step(0); }
__attribute__((constructor)) static void third(void) { step(2); }
__attribute__((destructor(200))) static void last(void) { step(7); }
__attribute__((destructor)) static void before_last(void) { step(6); }
static void handler(void) { step(5); }
static void later_handler(void) { step(4); }

int main(void) {
  step(3);
  assert(!atexit(handler));
  assert(!atexit(later_handler));
  return 0;
}
