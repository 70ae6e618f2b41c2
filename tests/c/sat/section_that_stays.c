/* A thread that does not leave its atomic section shows nothing of it to others. */
#include <fencepost.h>
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
static atomic_int x, y;
static void *other(void *arg) {
    fp_atomic_begin();
    atomic_store(&x, 1);
#ifdef LOOP
    while (!atomic_load(&y));
#else
    fp_assume(atomic_load(&y));
#endif
    atomic_store(&x, 0);
    fp_atomic_end();
    return 0;
}
static void *third(void *arg) {
    fp_atomic_begin();
    atomic_store(&x, 2);
    fp_assume(atomic_load(&y));
    atomic_store(&x, 0);
    fp_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, other, 0);
    pthread_create(&u, 0, third, 0);
    assert(atomic_load(&x) == 0);
#ifdef FAILS
    assert(0);
#endif
}
