// A compare-and-exchange of what is not initialised yet could have come after the store that does so.
//: a compare-and-exchange depends on an uninitialised value
//: assertion `!exchanged` fails
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static int exchanged;
static void *exchange(void *a) {
    int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE), expected = 0;
    if (p) exchanged = __atomic_compare_exchange_n(p, &expected, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return a;
}
static void *initialise(void *a) {
    int *p = malloc(sizeof(int));
    __atomic_store_n(&shared, p, __ATOMIC_RELEASE);
    __atomic_store_n(p, 0, __ATOMIC_RELEASE);
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, exchange, 0);
    pthread_create(&second, 0, initialise, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(!exchanged);
    return 0;
}
