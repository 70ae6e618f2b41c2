// A stack without locks. A push or pop whose exchange fails starts again, and nobody can tell that it had begun before.
// PUSH threads push, POP threads pop. With -DKEEP a failed exchange leaves the new top behind, instead of a load in each iteration.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int value; struct node *next; };
_Atomic(struct node *) top;

void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
#ifdef KEEP
  struct node *old = atomic_load(&top);
  do node->next = old;
  while (!atomic_compare_exchange_weak(&top, &old, node));
#else
  struct node *old;
  do {
    old = atomic_load(&top);
    node->next = old;
  } while (!atomic_compare_exchange_weak(&top, &old, node));
#endif
}

int pop(void) {
#ifdef KEEP
  struct node *old = atomic_load(&top);
  do if (!old) return 0;
  while (!atomic_compare_exchange_weak(&top, &old, old->next));
#else
  struct node *old;
  do {
    old = atomic_load(&top);
    if (!old) return 0;
  } while (!atomic_compare_exchange_weak(&top, &old, old->next));
#endif
  return old->value;
}

void *pusher(void *value) { push((int)(long)value); return 0; }
void *popper(void *unused) { return (void *)(long)pop(); }

int main(void) {
  pthread_t threads[PUSH + POP];
  long sum = 0;
  for (long i = 0; i < PUSH; i++) pthread_create(&threads[i], 0, pusher, (void *)(1L << i));
  for (int i = PUSH; i < PUSH + POP; i++) pthread_create(&threads[i], 0, popper, 0);
  for (int i = 0; i < PUSH + POP; i++) {
    void *value;
    pthread_join(threads[i], &value);
    if (i >= PUSH) sum += (long)value;
  }
  for (int i = 0; i < PUSH + POP; i++) sum += pop();
  assert(sum == (1 << PUSH) - 1);
}
