//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DLATE
// What was stored before a thread was started is there for the threads that this one starts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static atomic_int x;

static void *loads(void *unused) {
    assert(atomic_load_explicit(&x, RELAXED) == 1);
    return unused;
}

static void *starts(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, loads, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef LATE
    pthread_create(&thread, 0, starts, 0);
#endif
    atomic_store_explicit(&x, 1, RELAXED);
#ifndef LATE
    pthread_create(&thread, 0, starts, 0);
#endif
    pthread_join(thread, 0);
    return 0;
}
