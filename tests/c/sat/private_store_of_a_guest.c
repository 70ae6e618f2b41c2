/* A waiting loop stores to a local of another thread, which that reads; its address is given
   away only later. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int *_Atomic given;
static void *waits(void *arg) {
    _Atomic int *local = arg;
    while (!atomic_load(&flag))
        atomic_store(local, 1);
    atomic_store(local, 0);
    atomic_store(&given, (int *)local);
    return 0;
}
int main(void) {
    pthread_t t;
    _Atomic int local = 0;
    pthread_create(&t, 0, waits, (void *)&local);
    assert(!atomic_load(&local));
    atomic_store(&flag, 1);
    pthread_join(t, 0);
}
