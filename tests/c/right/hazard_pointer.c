// check: holds
// What a hazard pointer protects is not freed.
#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *reader(void *argument) {
  __VERIFIER_hp_t *hazard = __VERIFIER_hp_alloc();
  int *mine;
  do
    mine = __VERIFIER_hp_protect(hazard, &shared);
  while (mine != atomic_load(&shared));
  if (mine)
    assert(*mine == 42);
  __VERIFIER_hp_free(hazard);
  return argument;
}

int main(void) {
  int *object = malloc(sizeof *object);
  *object = 42;
  atomic_store(&shared, object);
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  atomic_store(&shared, 0);
  __VERIFIER_hp_retire(object);
  pthread_join(thread, 0);
  return 0;
}
