//: sc,tso,pso: violated: -DSPIN
//: sc,tso,pso: violated: -DSEMAPHORE
//: sc,tso,pso: violated: -DMUTEX
//: sc,tso,pso: violated: -DHEAP
// What was destroyed or freed is not used any more, also without waiting.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
#if defined SPIN
    static pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_destroy(&lock);
    pthread_spin_trylock(&lock);
#elif defined SEMAPHORE
    static sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    sem_destroy(&semaphore);
    sem_trywait(&semaphore);
#elif defined MUTEX
    static pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_destroy(&mutex);
    pthread_mutex_trylock(&mutex);
#else
    volatile int *value = malloc(sizeof *value);
    *value = 1;
    free((void *)value);
    return *value;
#endif
    return 0;
}
