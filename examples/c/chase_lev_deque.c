/*
 * The work-stealing deque of Chase and Lev (Dynamic circular work-stealing deque, 2005),
 * with an array that is large enough. Its owner pushes and takes at the bottom, thieves
 * steal at the top; only for the last task they have to compete.
 *
 * TSO: a store-load fence in take, between lowering the bottom and reading the top. Without
 *      it thieves do not see that the owner has taken a task, and steal it, too.
 * PSO: a store-store fence in push, between the task and the bottom, or a thief gets a task
 *      that is not there yet.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(TSO_FENCES) || defined(PSO_FENCES)
#define store_load() atomic_thread_fence(memory_order_seq_cst)
#else
#define store_load() ((void)0)
#endif

#ifdef PSO_FENCES
#define store_store() atomic_thread_fence(memory_order_release)
#else
#define store_store() ((void)0)
#endif

#define load(place) atomic_load_explicit(place, memory_order_relaxed)
#define store(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

enum { NONE = 0, SIZE = 4 };

static atomic_int tasks[SIZE];
static atomic_int top, bottom;
static atomic_int done[3];

static int advance_top(int from) {
    return atomic_compare_exchange_strong_explicit(&top, &from, from + 1, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static void push(int task) {
    int b = load(&bottom);
    store(&tasks[b], task);
    store_store();
    store(&bottom, b + 1);
}

static int take(void) {
    int b = load(&bottom) - 1;
    store(&bottom, b);
    store_load();
    int t = load(&top);
    if (t < b)
        return load(&tasks[b]);
    int task = NONE;
    if (t == b && advance_top(t))
        task = load(&tasks[b]);
    store(&bottom, b + 1);
    return task;
}

static int steal(void) {
    int t = load(&top);
    int b = load(&bottom);
    if (t >= b)
        return NONE;
    int task = load(&tasks[t]);
    assert(task != NONE);
    return advance_top(t) ? task : NONE;
}

static void perform(int task) {
    if (task != NONE) {
        int before = atomic_fetch_add_explicit(&done[task], 1, memory_order_relaxed);
        assert(before == 0); /* nobody else has got the same task */
    }
}

static void *owner(void *arg) {
    (void)arg;
    push(1);
    push(2);
    perform(take());
    perform(take());
    return NULL;
}

static void *thief(void *arg) {
    (void)arg;
    perform(steal());
    perform(steal());
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, owner, NULL);
    pthread_create(&second, NULL, thief, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
