//: sc,tso,pso: violated
// Without `lock` an instruction that changes memory is a load and a store.
#include <assert.h>
#include <pthread.h>

static int count;

static void *run(void *argument) {
  __asm__ __volatile__("incl %0" : "+m"(count) : : "cc");
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  run(0);
  pthread_join(thread, 0);
  assert(count == 2);
  return 0;
}
