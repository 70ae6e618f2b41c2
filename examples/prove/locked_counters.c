/*
 * Two counters that grow for ever, by chosen amounts, under one lock: whoever holds the lock sees them equal.
 * BROKEN gives the lock back in between.
 */
#include "endless.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned deposits, balance;

static void *teller(void *arg) {
    for (;;) {
        unsigned amount = fp_choose(50000);
        pthread_mutex_lock(&lock);
        deposits += amount;
#ifdef BROKEN
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        balance += amount;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *auditor(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(deposits == balance);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    run(teller, 2);
    run(auditor, 1);
    return 0;
}
