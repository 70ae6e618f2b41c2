/* Of two threads that observe something under one name the last one counts: which, a formula does not say. */
#include <fencepost.h>
#include <pthread.h>
static void *other(void *unused) {
    fp_observe("last", 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    fp_observe("last", 2);
    pthread_join(thread, 0);
}
