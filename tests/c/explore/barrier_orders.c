// N threads meet R times at a barrier: in which order they come makes no difference.
#include <pthread.h>
pthread_barrier_t barrier;
static void *meet(void *unused) {
    for (int i = 0; i < R; i++)
        pthread_barrier_wait(&barrier);
    return 0;
}
int main(void) {
    pthread_t t[N];
    pthread_barrier_init(&barrier, 0, N);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, meet, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
