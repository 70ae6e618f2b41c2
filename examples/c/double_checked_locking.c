/*
 * Double-checked locking, the lazy singleton (D. C. Schmidt and T. Harrison, 1996; see
 * D. Bacon et al., The "double-checked locking is broken" declaration). Who finds no
 * instance takes the lock, looks again, and builds one.
 *
 * TSO: needs no fence: the fields are visible before the pointer.
 * PSO: a store-store fence between the fields and the pointer, or the other thread, which
 *      takes no lock, gets an instance that is not filled in.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef PSO_FENCES
#define store_store() atomic_thread_fence(memory_order_release)
#else
#define store_store() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

struct settings {
    atomic_int width, height;
};

static struct settings *_Atomic instance;
static pthread_mutex_t building = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get_instance(void) {
    struct settings *it = load(&instance);
    if (!it) {
        pthread_mutex_lock(&building);
        it = load(&instance);
        if (!it) {
            it = calloc(1, sizeof *it);
            store(&it->width, 3);
            store(&it->height, 4);
            store_store();
            store(&instance, it);
        }
        pthread_mutex_unlock(&building);
    }
    return it;
}

static void *worker(void *arg) {
    (void)arg;
    struct settings *it = get_instance();
    assert(load(&it->width) == 3 && load(&it->height) == 4);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(load(&instance));
    return 0;
}
