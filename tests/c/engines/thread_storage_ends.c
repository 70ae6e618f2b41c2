//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DJOINED
//: sc,tso,pso: violated: -DHELPERS
//: sc,tso,pso: violated: -DHELPERS -DJOINED
// What a thread declares for itself ends with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Thread_local atomic_int own;
static _Atomic(atomic_int *) object;
static int look(void) { return atomic_load(&own); }
static void publish(void) { atomic_store(&object, &own); }
static void *run(void *a) {
    atomic_store(&own, 5);
#ifdef HELPERS
    if (look()) publish();
#else
    atomic_store(&object, &own);
#endif
    return a;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
#ifdef JOINED
    pthread_join(a, 0);
#endif
    atomic_int *its = atomic_load(&object);
    if (its) assert(atomic_load(its) == 5);
#ifndef JOINED
    pthread_join(a, 0);
#endif
}
