//: sc,tso,pso: violated
// A load takes one half from the thread's own store, and the other from before a compare-and-exchange that succeeds
// because of that store.
#include <assert.h>
#include <pthread.h>
static int x, swapped, loaded;
static void *swap(void *a) {
    int expected = 2;
    swapped = __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return a;
}
static void *load(void *a) {
    __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);
    __atomic_store_n((short *)&x, 2, __ATOMIC_RELAXED);
    loaded = __atomic_load_n(&x, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, swap, 0);
    pthread_create(&b, 0, load, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(swapped && loaded == 2));
}
