//: sc,tso,pso,rmo,relaxed: holds
// The end of an atomic section inside another does not end that one.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *t(void *a) {
    fp_atomic_begin();
    fp_atomic_begin();
    fp_atomic_end();
    x = 1;
    x = 2;
    fp_atomic_end();
    return a;
}
int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, 0);
    assert(x != 1);
    pthread_join(h, 0);
    return 0;
}
