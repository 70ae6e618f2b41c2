/* Whether a loop went round is observed, so an iteration that changes nothing else counts. */
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *sets(void *unused) {
    atomic_store(&flag, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sets, 0);
    fp_observe("waited", 0);
    while (!atomic_load(&flag))
        fp_observe("waited", 1);
    pthread_join(thread, 0);
}
