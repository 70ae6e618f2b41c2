// check: holds
// A stack whose head is a pointer and a counter, which `cmpxchg16b` exchanges together.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct node {
  struct node *next;
};
struct head {
  struct node *first;
  uint64_t count;
} __attribute__((aligned(16)));

static struct head stack;
static struct node nodes[2];

static bool exchange(struct head *target, struct head *expected, struct head desired) {
  bool done;
  __asm__ __volatile__("lock cmpxchg16b %0"
                       : "+m"(*target), "=@ccz"(done), "+a"(expected->first), "+d"(expected->count)
                       : "b"(desired.first), "c"(desired.count) : "memory");
  return done;
}

static struct head load(struct head *from) {
  struct head read;
  __asm__ __volatile__("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2"
                       : "=a"(read.first), "=d"(read.count) : "m"(*from) : "rbx", "rcx", "memory", "cc");
  return read;
}

static void push(struct node *node) {
  struct head old = load(&stack), new;
  do {
    node->next = old.first;
    new.first = node;
    new.count = old.count + 1;
  } while (!exchange(&stack, &old, new));
}

static struct node *pop(void) {
  struct head old = load(&stack), new;
  do {
    if (!old.first)
      return 0;
    new.first = old.first->next;
    new.count = old.count + 1;
  } while (!exchange(&stack, &old, new));
  return old.first;
}

static void *run(void *argument) {
  push(argument);
  assert(pop());
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, &nodes[0]);
  run(&nodes[1]);
  pthread_join(thread, 0);
  assert(!pop());
  return 0;
}
