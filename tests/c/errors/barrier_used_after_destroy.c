// check: misuse
#include <pthread.h>
/* -DDESTROYED: waits on a barrier that was destroyed; otherwise on one that was never initialised */
static pthread_barrier_t b;
int main(void) {
#if 1
    pthread_barrier_init(&b, 0, 1);
    pthread_barrier_destroy(&b);
#endif
    pthread_barrier_wait(&b);
    return 0;
}
