/* What an iteration stored to memory of its own is read by the thread that joins. */
#include <stdatomic.h>
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
static atomic_int flag;
static void *waits(void *arg) {
    int *count = malloc(sizeof *count);
    *count = 0;
    while (!atomic_load(&flag))
        *count = 1;
    return count;
}
int main(void) {
    pthread_t t;
    void *count;
    pthread_create(&t, 0, waits, 0);
    atomic_store(&flag, 1);
    pthread_join(t, &count);
    assert(*(int *)count == 0);
}
