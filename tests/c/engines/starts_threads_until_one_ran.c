//: sc,tso,pso,relaxed: violated
// An iteration that starts a thread is not one that only waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ran;

static void *runs(void *unused) {
    atomic_store(&ran, 1);
    return unused;
}

int main(void) {
    while (!atomic_load(&ran)) {
        pthread_t thread;
        pthread_create(&thread, 0, runs, 0);
    }
    assert(0);
    return 0;
}
