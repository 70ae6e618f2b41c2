//: sc,tso,pso: violated
// What was read before an attempt that fails decides what is stored. Had the attempt begun later, another load would have seen more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int top, data;
static void *pop(void *unused) {
    int old = atomic_load(&top);
    int seen = atomic_load(&data);
    while (!atomic_compare_exchange_strong(&top, &old, old + 10))
        ;
    assert(!(old == 1 && seen == 0));
    return 0;
}
static void *push(void *unused) {
    atomic_store(&data, 1);
    atomic_store(&top, 1);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pop, 0);
    pthread_create(&b, 0, push, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
