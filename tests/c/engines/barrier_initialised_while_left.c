//: sc,tso,pso: violated
//: sc,tso,pso: holds: -DDESTROY
// The other thread may not have left the barrier yet. Destroying the barrier then is correct.
#include <pthread.h>
static pthread_barrier_t barrier;
static void *wait(void *a) {
    pthread_barrier_wait(&barrier);
    return a;
}
static void *again(void *a) {
    pthread_barrier_wait(&barrier);
#ifdef DESTROY
    pthread_barrier_destroy(&barrier);
#else
    pthread_barrier_init(&barrier, 0, 2);
#endif
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&first, 0, wait, 0);
    pthread_create(&second, 0, again, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
