// A loop of ITERATIONS iterations, none of which waits.
#include <assert.h>
#include <pthread.h>
static int x;
static void *run(void *a) {
    for (int i = 0; i < ITERATIONS; i++) __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(x == ITERATIONS);
    return 0;
}
