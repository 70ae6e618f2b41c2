//: sc,tso,pso: violated: -DWRONG
//: sc,tso,pso: holds
// The thread that fails its assumption could have been slower than the one that exits.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <stdlib.h>
static int seen, cell;
static void *leave(void *a) { exit(0); }
static void *store(void *a) {
    __atomic_exchange_n(&cell, 2, __ATOMIC_SEQ_CST);
    __atomic_store_n(&cell, 2, __ATOMIC_RELAXED);
    fp_assume(0);
    return a;
}
static void *load(void *a) {
    seen = __atomic_load_n(&cell, __ATOMIC_RELAXED);
#ifdef WRONG
    assert(seen != 2);
#endif
    return a;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    pthread_create(&thread, 0, store, 0);
    pthread_create(&thread, 0, load, 0);
    pthread_join(thread, 0);
    return 0;
}
