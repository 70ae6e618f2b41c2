// check: holds
// Locks of inline assembly: test and set, ticket, compare-exchange, and a bit; the data are plain.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static int held;
static uint16_t next, serving;
static uint64_t word;
static uint32_t bits;
static int counters[4];

static void take_exchange(void) {
  int old;
  do {
    old = 1;
    __asm__ __volatile__("xchgl %0, %1" : "+r"(old), "+m"(held) : : "memory");
  } while (old);
}

static void give_exchange(void) {
  __asm__ __volatile__("movl %1, %0" : "=m"(held) : "ir"(0) : "memory");
}

static void take_ticket(void) {
  uint16_t ticket = 1, now;
  __asm__ __volatile__("lock; xaddw %w0, %1" : "+r"(ticket), "+m"(next) : : "memory", "cc");
  for (;;) {
    __asm__ __volatile__("movw %1, %0" : "=r"(now) : "m"(serving) : "memory");
    if (now == ticket)
      return;
    __asm__ __volatile__("rep; nop" : : : "memory");
  }
}

static void give_ticket(void) { __asm__ __volatile__("incw %0" : "+m"(serving) : : "memory", "cc"); }

static bool swap_if(uint64_t *target, uint64_t expected, uint64_t desired) {
  bool done;
  __asm__ __volatile__("lock cmpxchgq %3, %0\n\tsetz %1"
                       : "+m"(*target), "=a"(done) : "a"(expected), "r"(desired) : "memory", "cc");
  return done;
}

static void take_bit(void) {
  bool was;
  do
    __asm__ __volatile__("lock; btsl $5, %0" : "+m"(bits), "=@ccc"(was) : : "memory");
  while (was);
}

static void *run(void *argument) {
  take_exchange();
  counters[0]++;
  give_exchange();
  take_ticket();
  counters[1]++;
  give_ticket();
  while (!swap_if(&word, 0, 1))
    __asm__ __volatile__("pause");
  counters[2]++;
  __asm__ __volatile__("movq $0, %0" : "=m"(word) : : "memory");
  take_bit();
  counters[3]++;
  __asm__ __volatile__("lock; andl %1, %0" : "+m"(bits) : "er"(~(1 << 5)) : "memory", "cc");
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  run(0);
  pthread_join(thread, 0);
  for (int i = 0; i < 4; i++)
    assert(counters[i] == 2);
  return 0;
}
