// check --model tso,pso,rmo,relaxed: assertion
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define R memory_order_relaxed
static pthread_spinlock_t p, q;      /* one lock per thread: never contended */
static atomic_int x, y; static int a, b;
static void *t0(void *arg) {
    pthread_spin_lock(&p); atomic_store_explicit(&x, 1, R); pthread_spin_unlock(&p);
    a = atomic_load_explicit(&y, R); return 0; }
static void *t1(void *arg) {
    pthread_spin_lock(&q); atomic_store_explicit(&y, 1, R); pthread_spin_unlock(&q);
    b = atomic_load_explicit(&x, R); return 0; }
int main(void) {
    pthread_t s, t; pthread_spin_init(&p, 0); pthread_spin_init(&q, 0);
    pthread_create(&s, 0, t0, 0); pthread_create(&t, 0, t1, 0);
    pthread_join(s, 0); pthread_join(t, 0); assert(a || b);
}
