//: sc,tso,pso,rmo,relaxed: violated
//: sc,tso,pso,rmo,relaxed: violated: -O1
//: sc,tso,pso,rmo,relaxed: holds: -DMOST=4 -O1
// A loop that gives up does not wait, though all that changes from one iteration to the next is a register.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef MOST
#define MOST 3
#endif

atomic_int flag;

static void *setter(void *unused) {
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

__attribute__((noinline)) static int tries_of(atomic_int *place, int most) {
  int tries = 0;
#pragma clang loop unroll(disable)
  while (!atomic_load_explicit(place, memory_order_relaxed) && tries < most)
    tries++;
  return tries;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, setter, 0);
  assert(tries_of(&flag, 3) < MOST);
  pthread_join(thread, 0);
  return 0;
}
