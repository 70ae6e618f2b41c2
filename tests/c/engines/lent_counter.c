//: sc,tso,pso,rmo,relaxed: holds
// A counter that a function counts on for its caller, and nobody reads, tells no two iterations apart.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct statistics { long spins, rounds; };

static atomic_int stop;

static void spun(struct statistics *statistics) { statistics->spins++; }
static void note(struct statistics *statistics, int rounds) {
    spun(statistics);
    statistics->rounds += rounds;
}

static void *worker(void *unused) {
    (void)unused;
    struct statistics statistics = {0, 0};
    while (!atomic_load(&stop)) note(&statistics, 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    return 0;
}
