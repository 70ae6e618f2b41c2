//: sc,tso,pso,rmo,relaxed: violated
//: sc,tso,pso,rmo,relaxed: holds: -DSTRONG
//: sc,tso,pso,rmo,relaxed: holds: -DAWAIT
// A weak compare-and-exchange of 16 bytes may fail spuriously, as a smaller one may, and one that fails stores nothing:
// a loop of it waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
typedef struct {
    unsigned long first, second;
} pair;
static _Atomic pair both;
static int data;

static void *exchange(void *unused) {
    pair expected = {1, 1};
#ifdef AWAIT
    while (!atomic_compare_exchange_strong(&both, &expected, ((pair){2, 2})))
        expected = (pair){1, 1};
    assert(data == 1);
#elif defined STRONG
    assert(atomic_compare_exchange_strong(&both, &expected, ((pair){2, 2})) || expected.first == 0);
#else
    assert(atomic_compare_exchange_weak(&both, &expected, ((pair){2, 2})) || expected.first == 0);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, exchange, 0);
    data = 1;
    atomic_store(&both, ((pair){1, 1}));
    pthread_join(thread, 0);
    return 0;
}
