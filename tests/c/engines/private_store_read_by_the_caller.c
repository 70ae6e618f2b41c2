//: sc,tso,pso,rmo,relaxed: violated
//: sc,tso,relaxed: holds: -DUNREAD
// What an iteration stored to memory of its own is read by the caller of a function that has started a thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int flag;

static void *sets(void *unused) {
    atomic_store(&flag, 1);
    return unused;
}

static void spins(int *count) {
    pthread_t thread;
    pthread_create(&thread, 0, sets, 0);
    while (!atomic_load(&flag))
        *count = 1;
    pthread_join(thread, 0);
}

int main(void) {
    int *count = malloc(sizeof *count);
    *count = 0;
    spins(count);
#ifndef UNREAD
    assert(*count == 0);
#endif
    return 0;
}
