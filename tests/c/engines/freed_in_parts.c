//: sc,tso,pso: violated: -DREAD=0
//: sc,tso,pso: violated: -DREAD=5
//: sc,tso,pso: holds: -DREAD=1
// An exchange of the whole can happen only after its first byte is freed. The load of the last byte comes before the exchange or
// after it, and has nothing to do with that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
union {
    atomic_uint whole;
    atomic_uchar parts[4];
} x;
int seen;
static void *frees_a_part(void *unused) {
    atomic_store(&x.parts[0], 0);
    return 0;
}
static void *takes_the_whole(void *unused) {
    unsigned free = 0;
    while (!atomic_compare_exchange_strong(&x.whole, &free, 0x05000001))
        free = 0;
    return 0;
}
static void *reads_another_part(void *unused) {
    seen = atomic_load(&x.parts[3]);
    return 0;
}
int main(void) {
    atomic_store(&x.parts[0], 1);
    pthread_t threads[3];
    pthread_create(&threads[0], 0, frees_a_part, 0);
    pthread_create(&threads[1], 0, takes_the_whole, 0);
    pthread_create(&threads[2], 0, reads_another_part, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(seen != READ);
}
