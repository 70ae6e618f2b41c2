//: sc,tso,pso: violated
// The frame of f is written by the other thread in the first call, after it (an error), or in the second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int go;
static _Atomic(atomic_int *) p;
static int f(void) {
    atomic_int l = 3;
    p = &l;
    while (!go) ;
    return l;
}
static void *t1(void *a) {
    int r0 = f(), r1 = f();
    assert(!(r0 == 1 && r1 == 3));
    return a;
}
static void *t0(void *a) {
    go = 1;
    atomic_int *q = p;
    if (q) *q = 1;
    return a;
}
int main(void) {
    pthread_t h0, h1;
    pthread_create(&h1, 0, t1, 0);
    pthread_create(&h0, 0, t0, 0);
    pthread_join(h0, 0);
    pthread_join(h1, 0);
    return 0;
}
