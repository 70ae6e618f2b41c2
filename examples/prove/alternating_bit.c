/*
 * The alternating bit protocol over shared memory (K. A. Bartlett, R. A. Scantlebury, P. T.
 * Wilkinson, 1969): the sender writes the data, then the bit that announces it; the receiver
 * answers with the bit. Under TSO it needs no fence.
 *
 * -DBROKEN: the bit is written before the data.
 */
#include "endless.h"

static cell data, sent, received;

static void *sender(void *arg) {
    for (unsigned char bit = 1;; bit ^= 1) {
#ifdef BROKEN
        store(&sent, bit);
        store(&data, bit);
#else
        store(&data, bit);
        store(&sent, bit);
#endif
        while (load(&received) != bit)
            ;
    }
    return arg;
}

static void *receiver(void *arg) {
    for (unsigned char bit = 1;; bit ^= 1) {
        while (load(&sent) != bit)
            ;
        assert(load(&data) == bit);
        store(&received, bit);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, sender, NULL);
    pthread_create(&two, NULL, receiver, NULL);
    return 0;
}
