// A store that leaves the store buffer too late writes nothing: the free after it still comes after the other one.
//: write to heap1.1, which was freed
//: heap1.1 is freed a second time, in thread 2 (stores)
//: heap1.1 is freed a second time, in thread 1 (takes)
//: read of heap1.1, which was freed, in thread 1 (takes)
//: assertion `value != 1` fails, in thread 1 (takes)
//: assertion `p` fails, in thread 1 (takes)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *takes(void *a) {
    int *p = malloc(sizeof(int));
    *p = 3;
    __atomic_store_n(&shared, p, __ATOMIC_RELEASE);
    p = __atomic_exchange_n(&shared, 0, __ATOMIC_ACQ_REL);
    assert(p);
    int value = __atomic_load_n(p, __ATOMIC_RELAXED);
    free(p);
    assert(value != 1);
    return a;
}
static void *stores(void *a) {
    int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (p) {
        __atomic_store_n(p, 1, __ATOMIC_RELAXED);
        free(p);
        __atomic_store_n(&shared, 0, __ATOMIC_RELEASE);
    }
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, takes, 0);
    pthread_create(&second, 0, stores, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
