//: sc,tso,pso: undecided
// No execution counts, because t0's assumption always fails: that the other thread goes round for ever
// matters in none.
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *t0(void *a) { fp_assume(0); return a; }
static void *t1(void *a) { for (;;) x = !x; return a; }
int main(void) {
    pthread_t h0, h1;
    pthread_create(&h0, 0, t0, 0);
    pthread_create(&h1, 0, t1, 0);
    pthread_join(h0, 0);
    pthread_join(h1, 0);
    return 0;
}
