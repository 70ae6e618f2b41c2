//: sc: holds
//: tso,pso: violated
// Stores and loads by `mov`: a load may come before an earlier store.
#include <assert.h>
#include <pthread.h>

static int x, y, a, b;

static void *run(void *argument) {
  __asm__ __volatile__("movl $1, %0\n\tlfence\n\tmovl %2, %1" : "=m"(x), "=&r"(a) : "m"(y) : "memory");
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  __asm__ __volatile__("movl $1, %0" : "=m"(y) : : "memory");
  __asm__ __volatile__("" : : : "memory");
  __asm__ __volatile__("movl %1, %0" : "=r"(b) : "m"(x) : "memory");
  pthread_join(thread, 0);
  assert(a || b);
  return 0;
}
