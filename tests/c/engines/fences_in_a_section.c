//: sc,tso,pso,rmo,relaxed: violated
// An atomic section may contain any fences.
#include <fencepost.h>
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
atomic_int x, y;
static void *other(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    fp_atomic_begin();
    int a = x;
    y = 1;
    a = x;
    y = 2;
    fp_atomic_end();
    pthread_join(t, 0);
    assert(a == 77);   /* never true */
}
