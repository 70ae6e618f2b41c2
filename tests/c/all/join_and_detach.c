// Of a join and a detach of one thread, whichever comes second is wrong.
//: pthread_join: the thread is detached or was joined before
//: pthread_detach: the thread is detached or was joined before
#include <pthread.h>
static pthread_t third;
static void *run(void *a) { return a; }
static void *join(void *a) {
    pthread_join(third, 0);
    return a;
}
static void *detach(void *a) {
    pthread_detach(third);
    return a;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&third, 0, run, 0);
    pthread_create(&first, 0, join, 0);
    pthread_create(&second, 0, detach, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
