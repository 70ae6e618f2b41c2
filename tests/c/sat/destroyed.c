/* Objects of the library that are used after they were destroyed. */
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t lock;
static sem_t semaphore;
int main(void) {
#if WHAT == 0
    pthread_mutex_destroy(&mutex);
    pthread_mutex_trylock(&mutex);
#elif WHAT == 1
    pthread_spin_init(&lock, 0);
    pthread_spin_destroy(&lock);
    pthread_spin_trylock(&lock);
#else
    sem_init(&semaphore, 0, 1);
    sem_destroy(&semaphore);
    sem_trywait(&semaphore);
#endif
    return 0;
}
