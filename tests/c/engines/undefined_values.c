//: sc,tso,pso: violated: -DARRAY
//: sc,tso,pso: violated: -DASSUMED
//: sc,tso,pso: violated: -DEXCHANGED
//: sc,tso,pso: violated: -DJOINED
//: sc,tso,pso: violated: -DSIGNALLED
//: sc,tso,pso: violated: -DTRIED
//: sc,tso,pso: violated: -DTRIED_SEMAPHORE
//: sc,tso,pso,rmo,relaxed: holds: -DZEROED
//: sc,tso,pso,rmo,relaxed: holds: -DMADE
// What was never initialised decides nothing.
#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

int main(void) {
#if defined ARRAY
    int values[2];
    values[0] = 1;
    volatile int *other = &values[1];
    if (*other)
        return 1;
#elif defined ASSUMED
    int *value = malloc(sizeof *value);
    fp_assume(*value == 0);
#elif defined EXCHANGED
    _Atomic int *value = malloc(sizeof *value);
    int expected = 1;
    atomic_compare_exchange_strong(value, &expected, 2);
#elif defined JOINED
    pthread_t *thread = malloc(sizeof *thread);
    pthread_join(*thread, 0);
#elif defined SIGNALLED
    pthread_cond_signal((pthread_cond_t *)0);
#elif defined TRIED
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_trylock(mutex);
#elif defined TRIED_SEMAPHORE
    sem_t *semaphore = malloc(sizeof *semaphore);
    sem_trywait(semaphore);
#elif defined ZEROED
    int *values = calloc(2, sizeof *values);
    assert(values[0] == 0 && values[1] == 0);
#else
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, 0);
    assert(!pthread_mutex_trylock(mutex));
    pthread_mutex_unlock(mutex);
#endif
    return 0;
}
