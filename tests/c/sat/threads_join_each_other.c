#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
static pthread_t a, b;
static atomic_int ready;
static void *first(void *arg) {
    while (!atomic_load(&ready));
    pthread_join(b, 0);
    assert(0); /* never */
    return 0;
}
static void *second(void *arg) {
    pthread_join(a, 0);
    return 0;
}
int main(void) {
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    atomic_store(&ready, 1);
}
