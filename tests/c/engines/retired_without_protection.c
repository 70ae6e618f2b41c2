//: sc,tso,pso: violated
// A hazard pointer that is set too late: the object may be gone.
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *reader(void *argument) {
  __VERIFIER_hp_t *hazard = __VERIFIER_hp_alloc();
  int *mine = __VERIFIER_hp_protect(hazard, &shared);
  int value = mine ? *mine : 0;
  __VERIFIER_hp_free(hazard);
  return value == 1 ? argument : 0;
}

int main(void) {
  int *object = calloc(1, sizeof *object);
  atomic_store(&shared, object);
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  atomic_store(&shared, 0);
  __VERIFIER_hp_retire(object);
  pthread_join(thread, 0);
  return 0;
}
