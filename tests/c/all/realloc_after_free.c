// A realloc of what was freed comes after the free: it could have come first.
//: heap1.1 is freed a second time, in thread 1 (frees): free(p)
//: heap1.1 is freed a second time, in thread 2 (reallocates): if (p) realloc(p, 8)
//: read of heap1.1, which was freed, in thread 1 (frees): (void)*(volatile int *)p
//: assertion `0` fails, in main
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *frees(void *a) {
    int *p = malloc(sizeof(int));
    *p = 3;
    __atomic_store_n(&shared, p, __ATOMIC_RELEASE);
    (void)*(volatile int *)p;
    free(p);
    return a;
}
static void *reallocates(void *a) {
    int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (p) realloc(p, 8);
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, frees, 0);
    pthread_create(&second, 0, reallocates, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(0);
    return 0;
}
