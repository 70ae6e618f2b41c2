//: sc,tso,pso: violated
//: sc,tso,pso: violated: -DSECOND_FIRST
// The thread that waits may see the value from before the object was published.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(atomic_int *) object;
static atomic_int flag;
static void *publish(void *a) {
    atomic_int *mine = malloc(sizeof *mine);
    atomic_store(mine, 1);
    atomic_store(&object, mine);
    atomic_store(mine, 2);
    atomic_store(&flag, 1);
    atomic_store(mine, 1);
    return a;
}
static void *await(void *a) {
    atomic_int *its = atomic_load(&object);
    if (its) {
        while (atomic_load(its) != 1) ;
        assert(atomic_load(&flag));
    }
    return a;
}
int main(void) {
    pthread_t a, b;
#ifdef SECOND_FIRST
    pthread_create(&b, 0, await, 0);
    pthread_create(&a, 0, publish, 0);
#else
    pthread_create(&a, 0, publish, 0);
    pthread_create(&b, 0, await, 0);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
}
