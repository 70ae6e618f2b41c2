/* A queue of at most eight numbers in an array, and its operations. */
#include <fencepost.h>
#include <pthread.h>

static int items[8];
static unsigned head, tail;

#ifdef LOCKED
static pthread_mutex_t mutex;
#define lock() pthread_mutex_lock(&mutex)
#define unlock() pthread_mutex_unlock(&mutex)
FP_INIT { pthread_mutex_init(&mutex, 0); }
#else
#define lock() ((void)0)
#define unlock() ((void)0)
#endif

static void enqueue(int value) {
    lock();
    unsigned at = *(volatile unsigned *)&tail;
    *(volatile int *)&items[at] = value;
    *(volatile unsigned *)&tail = at + 1;
    unlock();
}

/* Observes by itself, so that it is copied for each invocation. */
static void dequeue(void) {
    int found = 0, value = 0;
    lock();
    unsigned at = *(volatile unsigned *)&head;
    if (at != *(volatile unsigned *)&tail) {
        found = 1;
        value = *(volatile int *)&items[at];
        *(volatile unsigned *)&head = at + 1;
    }
    unlock();
    fp_result("found", found);
    if (found)
        fp_result("value", value - 1);
}

FP_OPERATION(e) { enqueue(1 + fp_argument("value", 2)); }
FP_OPERATION(d) { dequeue(); }
