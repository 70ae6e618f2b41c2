// check --races: race
// The loop reads 0 every time, so its iterations are left out, but the write of another 0 races with their reads.
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *t0(void *a) {
    while (x == 0) {}
    return a;
}
static void *t1(void *a) {
    __atomic_fetch_or(&x, 0, __ATOMIC_RELAXED);
    exit(0);
    return a;
}
int main(void) {
    pthread_t h0, h1;
    pthread_create(&h0, 0, t0, 0);
    pthread_create(&h1, 0, t1, 0);
    pthread_join(h0, 0);
    pthread_join(h1, 0);
    return 0;
}
