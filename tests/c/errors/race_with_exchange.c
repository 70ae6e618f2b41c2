// check --races: race
// The plain read of t1 races with the write of t0's exchange where that reads 2: the store that it reads from
// is relaxed, so nothing orders them.
#include <pthread.h>
static int x;
static void *t0(void *a) {
#ifdef STORE
    if (__atomic_load_n(&x, __ATOMIC_RELAXED) == 2) __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
#else
    int e = 2;
    __atomic_compare_exchange_n(&x, &e, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
    return a;
}
static void *t1(void *a) {
    int s = x;
    __atomic_store_n(&x, 2, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t h0, h1;
#ifdef SWAP
    pthread_create(&h1, 0, t1, 0);
    pthread_create(&h0, 0, t0, 0);
#else
    pthread_create(&h0, 0, t0, 0);
    pthread_create(&h1, 0, t1, 0);
#endif
    pthread_join(h0, 0);
    pthread_join(h1, 0);
    return 0;
}
