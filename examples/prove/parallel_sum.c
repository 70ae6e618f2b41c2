/*
 * Two threads add to a sum, each as often as it likes, and say how much they have added; in the end the sum is what both have added.
 * BROKEN adds by a load and a store.
 */
#include "endless.h"

static atomic_uint sum;
static unsigned added[2];

static void *worker(void *arg) {
    int me = *(int *)arg;
    unsigned mine = 0;
    while (fp_choose(2)) {
#ifdef BROKEN
        store(&sum, load(&sum) + 3);
#else
        atomic_fetch_add(&sum, 3);
#endif
        mine += 3;
    }
    added[me] = mine;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &names[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(load(&sum) == added[0] + added[1]);
    return 0;
}
