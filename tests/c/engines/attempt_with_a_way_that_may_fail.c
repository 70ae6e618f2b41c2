//: sc,tso,pso: violated
// Only on one of two ways to the exchange a failed attempt is remembered: the one with the division.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void *halve(void *unused) {
    int old, next, odd = 0;
    do {
        old = atomic_load(&count);
        next = old + 1;
        if (old & 1) {
            next = old / 2;
            odd++;
        }
    } while (!atomic_compare_exchange_strong(&count, &old, next));
    assert(odd < 2);
    return 0;
}
static void *add(void *unused) {
    atomic_fetch_add(&count, 2);
    return 0;
}
int main(void) {
    pthread_t a, b;
    atomic_store(&count, 1);
    pthread_create(&a, 0, halve, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
