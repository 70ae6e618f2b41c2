// THREADS threads add one to a counter with a compare-and-exchange, in one of three ways. The read and the exchange are one event, but where the first read is an exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 3
#endif
atomic_int count;

static int exchange(int *expected, int value) {
    return atomic_compare_exchange_weak(&count, expected, value);
}

static void *add(void *unused) {
#if defined GUESS
    int old = 0;
    while (!exchange(&old, old + 1))
        ;
#elif defined KEEP
    int old = atomic_load(&count);
    while (!exchange(&old, old + 1))
        ;
#else
    int old;
    do
        old = atomic_load(&count);
    while (!exchange(&old, old + 1));
#endif
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    assert(count == THREADS);
}
