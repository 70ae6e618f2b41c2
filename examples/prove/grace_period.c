/*
 * A grace period as in RCU, for one reader: the updater replaces what the reader may look at, and takes the old one back
 * once the reader is seen outside. BROKEN does not wait.
 */
#include "endless.h"

static cell reading, current, valid[2] = {1, 0};

static void *reader(void *arg) {
    for (;;) {
        store(&reading, 1);
        fence();
        assert(load(&valid[atomic_load_explicit(&current, memory_order_acquire)]));
        atomic_store_explicit(&reading, 0, memory_order_release);
    }
    return arg;
}

static void *updater(void *arg) {
    for (unsigned char old = 0;; old = !old) {
        store(&valid[!old], 1);
        atomic_store_explicit(&current, !old, memory_order_release);
        fence();
#ifndef BROKEN
        while (atomic_load_explicit(&reading, memory_order_acquire))
            ;
#endif
        store(&valid[old], 0);
    }
    return arg;
}

int main(void) {
    run(reader, 1);
    run(updater, 1);
    return 0;
}
