// The value of the semaphore can be read before the store is in memory.
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static int cell;
static void *post(void *a) {
    sem_post(&semaphore);
    __atomic_store_n(&cell, 2, __ATOMIC_RELAXED);
    return a;
}
static void *look(void *a) {
    __atomic_store_n(&cell, 1, __ATOMIC_RELAXED);
#ifdef FENCE
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
#ifdef TRY
    sem_trywait(&semaphore);
#else
    int value;
    sem_getvalue(&semaphore, &value);
#endif
    return a;
}
int main(void) {
    pthread_t first, second;
    sem_init(&semaphore, 0, 0);
    pthread_create(&first, 0, post, 0);
    pthread_create(&second, 0, look, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
