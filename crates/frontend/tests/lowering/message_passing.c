#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct mail { int text; atomic_int ready; };

static struct mail box;

static void *sender(void *unused) {
    box.text = 42; atomic_store_explicit(&box.ready, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sender, 0);
    int seen = 0;
    for (int i = 0; i < 3; i++) { seen += atomic_load(&box.ready); } // in vain
    if (seen) assert(box.text == 42);
    return pthread_join(thread, 0);
}
