// A counter under a lock, and operations that are no good.
#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int racy;

FP_OPERATION(count) {
    pthread_mutex_lock(&lock);
    int now = ++counter;
    pthread_mutex_unlock(&lock);
    fp_result("now", now);
}

// Another thread may count in between.
FP_OPERATION(add) {
    int seen = racy;
    racy = seen + 1;
    fp_result("now", seen + 1);
}

// Fails for one of its arguments.
FP_OPERATION(divide) { fp_result("quotient", 6 / fp_argument("by", 2)); }

// The engine does not know what that does to the other threads.
FP_OPERATION(leave) { exit(0); }
