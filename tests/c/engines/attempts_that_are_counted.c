//: sc,tso,pso: violated
// A failed attempt of a retry loop is no event of its own unless something remembers it: here how many there were.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void *add(void *unused) {
    int old, attempts = 0;
    do {
        old = atomic_load(&count);
        attempts++;
    } while (!atomic_compare_exchange_strong(&count, &old, old + 1));
    assert(attempts == 1);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
