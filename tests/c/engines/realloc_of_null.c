//: sc,tso: holds
//: pso: violated
/* realloc of a null pointer loads nothing: the fence behind the first store, which holds back loads, does not hold the
   second store back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int data, flag;

static void *writer(void *unused) {
    atomic_store(&data, 1);
    int *object = realloc(0, 8);
    object[1] = 1;
    free(object);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load(&flag) == 1)
        assert(atomic_load(&data) == 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
