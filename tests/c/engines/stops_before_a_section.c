//: sc,tso,pso,rmo,relaxed: violated
//: sc,tso,pso,rmo,relaxed: holds: -DINSIDE
// A thread that cannot leave an atomic section, because an assumption in it fails, has done what comes before the section,
// and nothing of what is in it.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int before, inside, never;

static void *stops(void *unused) {
    atomic_store(&before, 1);
    fp_atomic_begin();
    atomic_store(&inside, 1);
    fp_assume(atomic_load(&never));
    fp_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, stops, 0);
#ifdef INSIDE
    assert(atomic_load(&inside) == 0);
#else
    assert(atomic_load(&before) == 0);
#endif
    return 0;
}
