//: sc,tso,pso: holds
//: sc,tso,pso: holds: -DLOCAL
//: pso: violated: -DCONSTANT
//: pso: violated: -DSTORE
//: pso: violated: -DLOCAL -DSTORE
// A load behind a StoreLoad fence (here that of a seq_cst store) comes after the stores before the fence, and before
// the stores behind it, also if nobody else ever stores to its location. A store there orders nothing,
// nor does the load of a constant, which is as good as a literal.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, flag;
#if defined CONSTANT
static const volatile int own[2] = {1, 2};
#elif !defined LOCAL
static volatile int own[2];
#endif
static void *write_both(void *unused) {
#ifdef LOCAL
    volatile int own[2] = {1, 2};
#endif
    atomic_store_explicit(&data, 1, memory_order_seq_cst);
#ifdef STORE
    own[1] = 1;
#else
    (void)own[1];
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}
static void *read_both(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_seq_cst))
        assert(atomic_load_explicit(&data, memory_order_seq_cst));
    return unused;
}
int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_both, NULL);
    pthread_create(&reader, NULL, read_both, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
}
