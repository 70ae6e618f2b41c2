//: sc,tso,pso: holds
//: sc,tso,pso: violated: -DFREED
// A thread stands at its end, which is the end of all code, and destructors run, while another thread has an assumption.
#include <fencepost.h>
#include <pthread.h>
#include <stdlib.h>

static void *keeper(void *argument);

static pthread_key_t counted, freed;
static int ended;
static int *published;

static void count(void *value) {
    __atomic_fetch_add(&ended, (int)(long)value, __ATOMIC_RELAXED);
}

static void destroy(void *value) {
    free(value);
#ifdef FREED
    free(value);
#endif
}

static void *starts(void *argument) {
    pthread_t thread;
    pthread_create(&thread, 0, keeper, 0);
    pthread_join(thread, 0);
    return argument;
}

static void *keeper(void *argument) {
    int *value = malloc(sizeof *value);
    *value = 1;
    pthread_setspecific(counted, (void *)1L);
    pthread_setspecific(freed, value);
    __atomic_store_n(&published, value, __ATOMIC_RELEASE);
    return argument;
}

static void *assumes(void *argument) {
    long zero = 0;
    fp_assume(zero != 2);
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_key_create(&counted, count);
    pthread_key_create(&freed, destroy);
    pthread_create(&first, 0, starts, 0);
    pthread_create(&second, 0, assumes, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
