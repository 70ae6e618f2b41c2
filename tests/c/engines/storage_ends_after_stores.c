//: sc,tso,pso: violated
// Thread storage that is published twice ends after the thread's stores have left the buffer.
#include <assert.h>
#include <pthread.h>
static int *p;
static _Thread_local int own;
static void *t0(void *a) {
    int *q = __atomic_load_n(&p, __ATOMIC_ACQUIRE);
    if (q) assert(__atomic_load_n(q, __ATOMIC_RELAXED) != 1);
    return a;
}
static void *t1(void *a) {
    own = 1;
    __atomic_store_n(&p, &own, __ATOMIC_RELEASE);
    own = 1;
    __atomic_store_n(&p, &own, __ATOMIC_RELEASE);
    return a;
}
int main(void) {
    pthread_t h0, h1;
    pthread_create(&h0, 0, t0, 0);
    pthread_create(&h1, 0, t1, 0);
    pthread_join(h0, 0);
    pthread_join(h1, 0);
    return 0;
}
