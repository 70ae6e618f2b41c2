//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DFIRST
// More threads arrive at a barrier than it is for, so who comes first matters.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t barrier;
atomic_int passed;
static void *arrive(void *number) {
    pthread_barrier_wait(&barrier);
#ifdef FIRST
    if ((long)number == 3)
        assert(passed);
#endif
    atomic_store(&passed, 1);
    return 0;
}
int main(void) {
    pthread_t t[4];
    pthread_barrier_init(&barrier, 0, 2);
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, arrive, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
