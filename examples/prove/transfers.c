/*
 * Money moves between two accounts under a spin lock, any amount and for ever; the sum stays what it was.
 * BROKEN pays in what was taken out of the other account before.
 */
#include "endless.h"

#define TOTAL 1000

static atomic_flag taken = ATOMIC_FLAG_INIT;
static unsigned here = TOTAL, there;

static void *clerk(void *arg) {
    for (;;) {
        unsigned amount = fp_choose(50000);
        await(!atomic_flag_test_and_set(&taken));
        assert(here + there == TOTAL);
        here -= amount;
#ifdef BROKEN
        amount = here;
#endif
        there += amount;
        atomic_flag_clear(&taken);
    }
    return arg;
}

int main(void) {
    run(clerk, 2);
    return 0;
}
