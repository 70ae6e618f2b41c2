//: sc,tso,pso,rmo,relaxed: holds
//: sc,tso,pso,rmo,relaxed: violated: -DAFTERWARDS
// An atomic section that one function begins and another ends.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void enter(void) { fp_atomic_begin(); }
static void leave(void) { fp_atomic_end(); }

static void *both(void *unused) {
    enter();
#ifdef AFTERWARDS
    leave();
#endif
    x = 1;
    x = 2;
#ifndef AFTERWARDS
    leave();
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, both, 0);
    assert(x != 1);
    pthread_join(thread, 0);
    return 0;
}
