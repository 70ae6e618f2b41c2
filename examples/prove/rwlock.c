/*
 * A read-write lock with a flag for each of two readers, and one writer: a big-reader lock.
 */
#include "endless.h"

static cell reading[2], writing, data;

static void *reader(void *arg) {
    int me = *(int *)arg;
    for (;;) {
        store(&reading[me], 1);
        fence();
        if (load(&writing) == 0) {
            unsigned char first = load(&data);
            assert(load(&data) == first);
        }
        store(&reading[me], 0);
    }
}

static void *writer(void *arg) {
    for (;;) {
        store(&writing, 1);
        fence();
        while (load(&reading[0]))
            ;
        while (load(&reading[1]))
            ;
        store(&data, 1);
        store(&data, 0);
        store(&writing, 0);
    }
    return arg;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, NULL, reader, &names[0]);
    pthread_create(&two, NULL, reader, &names[1]);
    pthread_create(&three, NULL, writer, NULL);
    return 0;
}
