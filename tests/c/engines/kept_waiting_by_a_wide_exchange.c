//: sc,tso,pso: violated
// The exchange of the whole keeps the exchange of its first byte waiting. It fails after that one, and then no longer conflicts
// with the load of the last byte, which may come before it all the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
union {
    atomic_uint whole;
    atomic_uchar parts[4];
} x;
atomic_int before;
int seen, exchanged;
static void *takes_a_part(void *unused) {
    unsigned char free = 0;
    while (!atomic_compare_exchange_strong(&x.parts[0], &free, 1))
        free = 0;
    return 0;
}
static void *reads_another_part(void *unused) {
    atomic_store(&before, 1);
    seen = atomic_load(&x.parts[3]);
    return 0;
}
static void *takes_the_whole(void *unused) {
    unsigned free = 0;
    exchanged = atomic_compare_exchange_strong(&x.whole, &free, 0x05000001);
    if (exchanged)
        atomic_store(&x.parts[0], 0);
    return 0;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, takes_a_part, 0);
    pthread_create(&threads[1], 0, reads_another_part, 0);
    pthread_create(&threads[2], 0, takes_the_whole, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(!(exchanged && seen == 0));
}
