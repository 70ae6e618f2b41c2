//: tso,pso,rmo,relaxed: violated: -DOP=pthread_cond_signal(&c)
//: tso,pso,rmo,relaxed: violated: -DOP=pthread_once(&o,f)
//: tso,pso,rmo,relaxed: holds: -DOP=atomic_thread_fence(memory_order_seq_cst)
// Library functions order what implementations do.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define R memory_order_relaxed
pthread_cond_t c=PTHREAD_COND_INITIALIZER; pthread_once_t o=PTHREAD_ONCE_INIT; pthread_key_t k; static void f(void){}
static atomic_int x, y; static int a, b;
static void *t0(void *arg) { atomic_store_explicit(&x, 1, R); OP; a = atomic_load_explicit(&y, R); return 0; }
static void *t1(void *arg) { atomic_store_explicit(&y, 1, R); OP; b = atomic_load_explicit(&x, R); return 0; }
int main(void) {
    pthread_t s, t; pthread_once(&o,f); pthread_key_create(&k,0);
    pthread_create(&s, 0, t0, 0); pthread_create(&t, 0, t1, 0);
    pthread_join(s, 0); pthread_join(t, 0); assert(a || b);
}
