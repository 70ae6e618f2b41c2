// check: holds
// What other checkers let a program say.
#include <dat3m.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data;

static void *run(void *argument) {
  for (__VERIFIER_loop_begin(); __VERIFIER_spin_start(), !atomic_load(&flag); __VERIFIER_spin_end(0))
    ;
  __VERIFIER_loop_bound(3);
  for (int i = 0; i < 2; i++)
    __VERIFIER_optional(atomic_fetch_add(&data, 1);)
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  __VERIFIER_final_write(atomic_store(&data, 5));
  __VERIFIER_local_write(atomic_store(&flag, 1));
  await_while(atomic_load(&data) != 7);
  __VERIFIER_assume(atomic_load(&data) == 7);
  __VERIFIER_assert(data == 7);
  pthread_join(thread, 0);
  return 0;
}
