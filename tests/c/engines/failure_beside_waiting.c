//: pso,rmo,relaxed: violated
//: sc,tso: holds
// An execution that goes wrong counts, though another thread then never ends.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define R memory_order_relaxed
static atomic_int data, flag, ack;
static void *consumer(void *a) {
    while (!atomic_load_explicit(&flag, R));
    assert(atomic_load_explicit(&data, R) == 1);      /* message passing without fences */
    atomic_store_explicit(&ack, 1, R);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consumer, 0);
    atomic_store_explicit(&data, 1, R);
    atomic_store_explicit(&flag, 1, R);
    while (!atomic_load_explicit(&ack, R));
    pthread_join(t, 0);
}
