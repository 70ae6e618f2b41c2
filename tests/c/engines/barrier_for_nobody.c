//: sc,tso,pso: holds: -DTHREADS=0
//: sc,tso,pso: violated: -DTHREADS=1
// A barrier for no threads is not initialised.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_barrier_t barrier;
int main(void) {
    assert(pthread_barrier_init(&barrier, 0, THREADS) == EINVAL);
}
