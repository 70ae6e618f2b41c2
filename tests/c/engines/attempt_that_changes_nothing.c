//: sc,tso,pso,relaxed: violated
// An exchange that stores what it finds ends the attempt, too: one that fails afterwards is no failure of the read before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, done;
static void *look(void *unused) {
    int found = 0, expected = atomic_load(&count);
    for (;;) {
        if (atomic_compare_exchange_strong(&count, &expected, expected)) {
            found = found * 10 + expected + 1;
            if (atomic_load(&done) || found > 100)
                break;
        }
    }
    assert(found != 12);
    return 0;
}
static void *add(void *unused) {
    atomic_store(&count, 1);
    atomic_store(&done, 1);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
