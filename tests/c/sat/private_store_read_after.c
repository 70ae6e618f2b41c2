/* What an iteration stored to memory of its own is read after the loop. */
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
static atomic_int flag;
static void *waits(void *arg) {
    volatile int waited = 0;
    while (!atomic_load(&flag))
        waited = 1;
    assert(!waited);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    atomic_store(&flag, 1);
    pthread_join(t, 0);
}
