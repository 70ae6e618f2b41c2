#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define ST(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
_Atomic int i = 1, j = 1;
void *t0(void *a) { for (int k = 0; k < 5; k++) { int u = LD(i), v = LD(j); ST(i, u + v); } return 0; }
void *t1(void *a) { for (int k = 0; k < 5; k++) { int u = LD(j), v = LD(i); ST(j, u + v); } return 0; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, t0, 0);
  pthread_create(&t[1], 0, t1, 0);
  int a = LD(i), b = LD(j);
  assert(a <= 144 && b <= 144);
  return 0;
}
