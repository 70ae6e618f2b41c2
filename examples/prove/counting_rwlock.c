/*
 * A read-write lock with one word, for any number of readers and writers:
 * --replicate reader --replicate writer. The word is WRITER, or the number of readers, of which
 * there are at most two inside. BROKEN lets a writer in while there are readers.
 */
#include "endless.h"

#define WRITER 7
#define READERS 2

static cell word, data;

static void *reader(void *arg) {
    for (;;) {
        unsigned char before = load(&word);
        await(before < READERS);
        await(atomic_compare_exchange_strong(&word, &before, before + 1));
        unsigned char first = load(&data);
        assert(load(&data) == first);
        before = load(&word);
        await(before > 0 && before <= READERS);
        await(atomic_compare_exchange_strong(&word, &before, before - 1));
    }
    return arg;
}

static void *writer(void *arg) {
    for (;;) {
        unsigned char before = 0;
#ifdef BROKEN
        before = load(&word);
        await(before < READERS);
#endif
        await(atomic_compare_exchange_strong(&word, &before, WRITER));
        store(&data, 1);
        store(&data, 0);
        store(&word, before);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, writer, NULL);
    return 0;
}
