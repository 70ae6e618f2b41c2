// check: holds
// A spin lock whose attempts are assumed to succeed, and a message that is assumed to be there: attempts that fail are no
// executions. With -DEARLY the lock is given back too early.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
atomic_int lock, message;
int count;

static void work(void) {
    int free = 0;
    fp_assume(atomic_compare_exchange_strong(&lock, &free, 1));
#ifdef EARLY
    atomic_store(&lock, 0);
    count++;
#else
    count++;
    atomic_store(&lock, 0);
#endif
}

static void *worker(void *argument) {
    for (int round = 0; round < N; round++)
        work();
    return 0;
}

static void *sender(void *argument) {
    for (int value = 1; value <= 4; value++)
        atomic_store(&message, value);
    return 0;
}

static void *receiver(void *argument) {
    int received = atomic_load(&message);
    fp_assume(received == 4);
    work();
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, worker, 0);
    pthread_create(&threads[1], 0, sender, 0);
    pthread_create(&threads[2], 0, receiver, 0);
    for (int thread = 0; thread < 3; thread++)
        pthread_join(threads[thread], 0);
    assert(count == N + 1);
}
