//: sc,tso,pso,rmo: holds
//: sc,tso,pso,rmo: violated: -DTOO_MANY
// The loop has more iterations than are followed one by one. Behind it the addresses of locals are no longer known, so
// these locals must be memory before it as well.
#include <assert.h>
#include <pthread.h>

#ifdef TOO_MANY
#define ITERATIONS 67
#else
#define ITERATIONS 66
#endif

static int ran;

static void count(volatile int *n) {
    while (*n < ITERATIONS) (*n)++;
}

static void *thread(void *argument) {
    ran = 1;
    return argument;
}

int main(void) {
    pthread_t handle;
    volatile int n = 0;
    pthread_create(&handle, 0, thread, 0);
    count(&n);
    pthread_join(handle, 0);
    assert(n == 66 && ran == 1);
    return 0;
}
