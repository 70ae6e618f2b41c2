//: sc,tso: holds
//: pso,rmo,relaxed: violated
//: sc,tso,pso,rmo,relaxed: holds: -DFENCE
// To wait for a thread that has ended orders loads after it. A store before it may still be in the buffer, unless stores keep
// their order, where the wait is a fence as any read-modify-write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define RELAXED memory_order_relaxed
static atomic_int x, y;
static int missed_y, missed_x;

static void *nothing(void *unused) { return unused; }

static void *left(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    atomic_store_explicit(&x, 1, RELAXED);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    pthread_join(thread, 0);
    missed_y = !atomic_load_explicit(&y, RELAXED);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    atomic_store_explicit(&y, 1, RELAXED);
    atomic_thread_fence(memory_order_seq_cst);
    missed_x = !atomic_load_explicit(&x, RELAXED);
    pthread_join(thread, 0);
    assert(!missed_x || !missed_y);
    return 0;
}
