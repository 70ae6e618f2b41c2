/*
 * A clock that goes on to a billion; who reads it twice never sees it go back.
 * BROKEN sets it back now and then.
 */
#include "endless.h"

#define END 1000000000

static atomic_uint now;

static void *ticker(void *arg) {
    for (;;) {
        unsigned before = load(&now);
        fp_assume(before < END);
#ifdef BROKEN
        store(&now, fp_choose(2) ? before + 2 : before - 1);
#else
        store(&now, before + 1);
#endif
    }
    return arg;
}

static void *reader(void *arg) {
    for (;;) {
        unsigned first = load(&now);
        assert(load(&now) >= first);
    }
    return arg;
}

int main(void) {
    run(ticker, 1);
    run(reader, 2);
    return 0;
}
