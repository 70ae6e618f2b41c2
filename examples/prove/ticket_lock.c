/*
 * A ticket lock whose tickets wrap, for any number of threads: --replicate worker. The next ticket
 * and the one that is served are halves of one word. There are TICKETS tickets, and a thread takes
 * one only while nobody has the one behind it; BROKEN takes it anyway, which goes wrong with one
 * thread more than there are tickets.
 */
#include "endless.h"

#ifndef TICKETS
#define TICKETS 3
#endif

static cell word;

#define next_of(word) ((word) / TICKETS)
#define served_of(word) ((word) % TICKETS)
#define after(ticket) (((ticket) + 1) % TICKETS)

static void *worker(void *arg) {
    for (;;) {
        unsigned char before = load(&word);
        unsigned char mine = next_of(before);
#ifndef BROKEN
        await(after(mine) != served_of(before));
#endif
        await(atomic_compare_exchange_strong(&word, &before,
                                             after(mine) * TICKETS + served_of(before)));
        await(served_of(load(&word)) == mine);
        critical_section();
        before = load(&word);
        await(atomic_compare_exchange_strong(&word, &before,
                                             next_of(before) * TICKETS + after(mine)));
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
