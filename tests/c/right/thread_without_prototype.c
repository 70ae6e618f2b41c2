// check: holds
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x;
void *worker() { x = 1; return 0; }      /* no prototype, as much old code has it */
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 1);
}
