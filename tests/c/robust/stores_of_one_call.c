// Under PSO the stores of one call are flushed in any order, here against the two calls of another thread.
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
static sem_t semaphore;
static char bytes[80];
static void write_all(void) {
#ifdef MEMORY
    memset(bytes, 1, sizeof bytes);
#else
    sem_init(&semaphore, 0, 1);
#endif
}
static void *twice(void *unused) {
    write_all();
#ifdef FENCES
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    write_all();
    return unused;
}
static void *once(void *unused) {
    write_all();
    return unused;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, twice, 0);
    pthread_create(&other, 0, once, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
}
