// A node that is made, filled and handed to a reader. TSO keeps the order of the stores; under
// PSO the node can be seen before what is in it, unless -DFENCES keeps them apart.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int left, right;
};

static _Atomic(struct node *) head;

static void *writer(void *unused) {
  struct node *node = calloc(1, sizeof *node);
  node->left = 1;
  node->right = 2;
#ifdef FENCES
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&head, node, memory_order_relaxed);
  return unused;
}

static void *reader(void *unused) {
  struct node *node = atomic_load_explicit(&head, memory_order_relaxed);
  if (node)
    assert(node->left + node->right == 3);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
