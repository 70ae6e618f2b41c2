/* A counter by compare-and-swap. */
#include <fencepost.h>
#include <stdatomic.h>

static atomic_int count;

FP_INIT {
    fp_result("not observed", 1);
    atomic_store(&count, 7);
}

FP_OPERATION(inc) {
    int old = atomic_load(&count);
    int tries = 1;
    while (!atomic_compare_exchange_strong(&count, &old, old + 1)) {
        tries++;
        fp_retry();
    }
    fp_result("old", old);
    fp_result("tries", tries);
}
