// check: holds
// Inline assembly as low-level libraries write it.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct region {
  unsigned char bytes[100];
};

static uint64_t word;
static uint32_t half;
static void *pointer;
static long sum;

static void store_pointer(void *to, const void *value) {
  __asm__ __volatile__("movq %1, %0" : "=m"(*(uint64_t *)to) : "iq"(value) : "memory");
}

static void *load_pointer(const void *from) {
  void *value;
  __asm__ __volatile__("movq %1, %0" : "=q"(value) : "m"(*(const uint64_t *)from) : "memory");
  return value;
}

static bool decrement_is_zero(uint32_t *count) {
  bool zero;
  __asm__ __volatile__("lock decl %0; setz %1" : "+m"(*count), "=qm"(zero) : : "memory", "cc");
  return zero;
}

static void decrement_to(uint32_t *count, bool *zero) {
  __asm__ __volatile__("lock decl %0; setz %1" : "+m"(*count), "=m"(*zero) : : "memory", "cc");
}

static bool compare_and_swap(uint64_t *to, uint64_t expected, uint64_t desired, uint64_t *found) {
  bool done;
  __asm__ __volatile__("lock cmpxchgq %3, %0; movq %%rax, %2; setz %1"
                       : "+m"(*to), "=a"(done), "=m"(*found) : "q"(desired), "a"(expected) : "memory", "cc");
  return done;
}

static bool set_bit(uint64_t *bits, unsigned number) {
  bool was;
  __asm__ __volatile__("lock btsq %2, %0; setc %1" : "+m"(*bits), "=qm"(was) : "q"((uint64_t)number) : "memory", "cc");
  return was;
}

// The operand is a region, the instruction says how much of it is meant.
static uint32_t exchange(void *at, uint32_t value) {
  uint32_t old;
  __asm__ __volatile__("xchgl %0, %1" : "=r"(old), "+m"(*(struct region *)at) : "0"(value) : "memory");
  return old;
}

static bool add_is_negative(long *to, long by) {
  int negative;
  __asm__ volatile("lock; addq %[by], %[to]\n\t/* the flag */ sets %b[flag]"
                   : [to] "+m"(*to), [flag] "=q"(negative) : [by] "er"(by) : "memory");
  return (unsigned char)negative;
}

static int reaches_zero(uint32_t *count) {
  __asm__ goto("lock; decl %0; je %l[zero]" : : "m"(*count) : "memory" : zero);
  return 0;
zero:
  return 1;
}

static int64_t exchange_add(volatile int64_t *to, int64_t by) {
  int64_t old;
  __asm__ volatile("lock\n\txaddq %0,%1\n" : "=q"(old), "=m"(*to) : "0"(by), "m"(*to) : "memory", "cc");
  return old;
}

static int hidden(int value) {
  __asm__("" : "+r"(value));
  __asm__ volatile("" : : "r"(value) : "memory");
  return value;
}

static uint64_t time_stamp(void) {
  uint32_t low, high;
  __asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high));
  return (uint64_t)high << 32 | low;
}

int main(void) {
  int target;
  store_pointer(&pointer, &target);
  assert(load_pointer(&pointer) == &target);
  half = 2;
  assert(!decrement_is_zero(&half) && decrement_is_zero(&half));
  half = 1;
  bool zero;
  decrement_to(&half, &zero);
  assert(zero);
  uint64_t found;
  assert(compare_and_swap(&word, 0, 9, &found) && found == 0 && word == 9);
  assert(!compare_and_swap(&word, 0, 7, &found) && found == 9 && word == 9);
  assert(!set_bit(&word, 1) && set_bit(&word, 1) && word == 11);
  assert(exchange(&half, 5) == 0 && half == 5);
  assert(add_is_negative(&sum, -4) && !add_is_negative(&sum, 5) && sum == 1);
  half = 2;
  assert(!reaches_zero(&half) && reaches_zero(&half));
  int64_t counter = 4;
  assert(exchange_add(&counter, 3) == 4 && counter == 7);
  assert(hidden(4) == 4 && time_stamp() == 0);
  return 0;
}
