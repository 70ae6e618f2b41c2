//: sc,tso,pso: violated: -DREAD=0
//: sc,tso,pso: violated: -DREAD=1
//: sc,tso,pso: holds: -DREAD=2
// An exchange waits for two parts of a location. One thread writes the first, another reads the second, before the exchange or after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static union {
    _Atomic uint32_t whole;
    _Atomic uint16_t part[2];
} u;
static int read;
static void *writer(void *a) {
    u.part[0] = 1;
    u.part[0] = 0;
    return a;
}
static void *waiter(void *a) {
    uint32_t expected = 0;
    while (!atomic_compare_exchange_strong(&u.whole, &expected, 0x10001))
        expected = 0;
    return a;
}
static void *reader(void *a) {
    read = u.part[1];
    return a;
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, waiter, 0);
    pthread_create(&t[2], 0, reader, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    // The exchange came before both stores.
    assert(u.whole != 0x10000 || read != READ);
    return 0;
}
