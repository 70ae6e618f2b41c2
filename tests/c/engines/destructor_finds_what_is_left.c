//: sc,tso,pso: violated
// What runs after main is part of the program, also where exit ends it.
#include <assert.h>
#include <stdlib.h>

static int opened;
static void close_all(void) { assert(opened == 0); }

int main(void) {
  atexit(close_all);
  opened++;
  exit(0);
}
