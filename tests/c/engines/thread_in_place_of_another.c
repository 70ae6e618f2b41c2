//: sc,tso,pso: violated
//: sc,tso,pso: holds: -DSET
// Which of two threads is the fourth depends on who comes first; one of them waits.
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int slot;
static void *await(void *a) {
    while (!atomic_load(&slot)) ;
    return a;
}
static void *nothing(void *a) { return a; }
static void *first(void *a) {
    pthread_t t;
    pthread_create(&t, 0, await, 0);
    pthread_join(t, 0);
    return a;
}
static void *second(void *a) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
#ifndef SET
    if (fp_choose(2))
#endif
    atomic_store(&slot, 1);
    pthread_join(t, 0);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
