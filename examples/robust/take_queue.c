/*
 * A work-stealing queue by the THE protocol (M. Frigo, C. E. Leiserson and K. H. Randall,
 * The implementation of the Cilk-5 multithreaded language, 1998). Its owner pushes and takes
 * at the tail, and takes the mutex only if the queue may be empty; a thief steals at the
 * head, under the mutex. Six operations: two pushes, two takes, two steals.
 *
 * FENCED: a fence in take between lowering the tail and reading the head, and one in steal
 *         between raising the head and reading the tail. Without either of them the last
 *         task is both taken and stolen.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FENCED
#define fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define fence() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

enum { NONE = -1, TASKS = 2 };

static atomic_int tasks[TASKS];
static atomic_int head, tail;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void push(int task) {
    int t = load(&tail);
    store(&tasks[t], task);
    store(&tail, t + 1);
}

/* Nobody moves the head meanwhile. */
static int take_alone(int t) {
    pthread_mutex_lock(&mutex);
    store(&tail, t);
    int empty = load(&head) > t;
    if (empty)
        store(&tail, t + 1);
    pthread_mutex_unlock(&mutex);
    return empty ? NONE : load(&tasks[t]);
}

static int take(void) {
    int t = load(&tail) - 1;
    store(&tail, t);
    fence();
    if (load(&head) <= t)
        return load(&tasks[t]);
    store(&tail, t + 1);
    return take_alone(t);
}

static int steal(void) {
    int task = NONE;
    pthread_mutex_lock(&mutex);
    int h = load(&head);
    store(&head, h + 1);
    fence();
    if (h + 1 <= load(&tail))
        task = load(&tasks[h]);
    else
        store(&head, h);
    pthread_mutex_unlock(&mutex);
    return task;
}

static void *thief(void *arg) {
    int *done = arg;
    for (int steals = 0; steals < 2; steals++) {
        int task = steal();
        if (task != NONE)
            done[task]++;
    }
    return NULL;
}

int main(void) {
    int taken[TASKS] = {0}, stolen[TASKS] = {0};
    pthread_t second;
    pthread_create(&second, NULL, thief, stolen);
    for (int task = 0; task < TASKS; task++)
        push(task);
    for (int takes = 0; takes < 2; takes++) {
        int task = take();
        if (task != NONE)
            taken[task]++;
    }
    pthread_join(second, NULL);
    for (int task = 0; task < TASKS; task++)
        assert(taken[task] + stolen[task] == 1);
    return 0;
}
