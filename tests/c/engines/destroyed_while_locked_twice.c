//: sc,tso,pso: violated
// The stores of a destruction may reach memory while the mutex is held and awaited.
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *destroy(void *a) {
    pthread_mutex_destroy(&mutex);
    return a;
}
static void *lock(void *a) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, destroy, 0);
    pthread_create(&b, 0, lock, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
