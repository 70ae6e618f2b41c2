//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DSOME
// A thread waits for what others add to.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int done;
atomic_int data[2];
static void *work(void *number) {
    atomic_store_explicit(&data[(long)number], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&done, 1, memory_order_release);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)0);
    pthread_create(&b, 0, work, (void *)1);
#ifdef SOME
    while (atomic_load_explicit(&done, memory_order_acquire) < 1)
        ;
#else
    while (atomic_load_explicit(&done, memory_order_acquire) < 2)
        ;
#endif
    assert(data[0] && data[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
