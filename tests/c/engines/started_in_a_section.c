//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DBEFORE
// A thread that is started in an atomic section runs after the section.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
static int x;

static void *loads(void *unused) {
    assert(x == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
#ifdef BEFORE
    pthread_create(&thread, 0, loads, 0);
    fp_atomic_begin();
#else
    fp_atomic_begin();
    pthread_create(&thread, 0, loads, 0);
#endif
    x = 1;
    fp_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
