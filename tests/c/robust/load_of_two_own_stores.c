// The load takes a part from each store of its thread: no store comes after it.
#include <pthread.h>
static union { int whole; char bytes[4]; } y;
static int x;
static void *one(void *a) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    return a;
}
static void *two(void *a) {
    __atomic_store_n(&y.whole, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&y.bytes[1], 1, __ATOMIC_RELAXED);
    __atomic_load_n(&y.whole, __ATOMIC_RELAXED);
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
