//: sc,tso,pso: violated
// The exchange returns what a new attempt expects, but the value of the first read is kept.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void *add(void *unused) {
    int first = atomic_load(&count), old = first;
    while (!atomic_compare_exchange_strong(&count, &old, old + 1))
        ;
    assert(old == first);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
