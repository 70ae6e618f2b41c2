/* Peterson's lock, recorded. Two threads take it in turn and count.
 *
 * With store buffers a thread's load of the other's flag can miss the store to it: the monitor
 * says so from a run in which nothing went wrong. -DFENCE puts a fence where it is needed. */
#include <fencepost_record.h>

static int flag[2];
static int turn;
static int count;

static void *worker(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    for (int round = 0; round < 100; round++) {
        fpr_store(&flag[me], 1);
        fpr_store(&turn, other);
#ifdef FENCE
        fpr_fence();
#endif
        while (fpr_load(&flag[other]) && fpr_load(&turn) == other) {
        }
        fpr_store(&count, fpr_load(&count) + 1);
        fpr_store(&flag[me], 0);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    int numbers[2] = {0, 1};
    fpr_create(&thread, NULL, worker, &numbers[1]);
    worker(&numbers[0]);
    fpr_join(thread, NULL);
    printf("%d\n", fpr_load(&count));
    return 0;
}
