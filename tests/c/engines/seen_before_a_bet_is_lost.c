//: sc,tso,pso,rmo,relaxed: holds
//: rmo,relaxed: violated: -DELSEWHERE
// The address of the store is known late. An update of the same location must not be seen before it; one of another
// location may.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int first, second;
static _Atomic(atomic_int *) pointer = &first;

static void *writer(void *unused) {
    atomic_store_explicit(atomic_load_explicit(&pointer, memory_order_relaxed), 1, memory_order_relaxed);
#ifdef ELSEWHERE
    atomic_fetch_or_explicit(&second, 2, memory_order_relaxed);
#else
    atomic_fetch_or_explicit(&first, 2, memory_order_relaxed);
#endif
    return unused;
}

static void *reader(void *unused) {
#ifdef ELSEWHERE
    int seen = atomic_load_explicit(&second, memory_order_acquire);
    assert(seen != 2 || atomic_load_explicit(&first, memory_order_relaxed) == 1);
#else
    assert(atomic_load_explicit(&first, memory_order_relaxed) != 2);
#endif
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&other, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
