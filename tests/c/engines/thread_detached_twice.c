//: sc,tso,pso: violated
// A thread cannot be detached twice.
#include <pthread.h>
static void *run(void *a) {
    pthread_detach(pthread_self());
    pthread_detach(pthread_self());
    return a;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    pthread_exit(0);
}
