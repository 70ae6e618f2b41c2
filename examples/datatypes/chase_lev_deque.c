/*
 * The work-stealing deque of Chase and Lev (Dynamic circular work-stealing deque, SPAA 2005),
 * with an array that does not grow: a push to a full deque is refused, after a second look
 * behind a fence, since else "full" might be older than the owner's last push. Its owner pushes
 * and takes at the bottom, thieves steal at the top; only for the last task do they compete,
 * by a compare-and-swap of the top. `top` and `bottom` only count; the slot is the remainder.
 *
 * Operations: p push, t take, both for one thread alone, the owner, which may be the one of the
 * initial sequence, too; s steal, for all others. Tests: work_stealing.tests.
 *
 * Where the paper's steal gives up after losing a task to somebody else, this one tries again.
 */
#include "atomics.h"

enum { SIZE = 2 };

typedef struct deque {
    atomic_int top;
    atomic_int bottom;
    atomic_int tasks[SIZE];
} deque_t;

static void init_deque(deque_t *deque) {
    store(&deque->top, 0);
    store(&deque->bottom, 0);
}

static bool push(deque_t *deque, int task) {
    int bottom = load(&deque->bottom);
    int top = load(&deque->top);
    if (bottom - top >= SIZE) {
        FENCE(1, FP_STORE_LOAD); /* full: thieves know of all the tasks, and have taken none */
        top = load(&deque->top);
        if (bottom - top >= SIZE)
            return false;
    }
    FENCE(2, FP_LOAD_STORE); /* the slot is written after it was seen to be free */
    store(&deque->tasks[bottom % SIZE], task);
    FENCE(3, FP_STORE_STORE); /* the task is there before thieves are told */
    store(&deque->bottom, bottom + 1);
    return true;
}

static bool take(deque_t *deque, int *task) {
    int bottom = load(&deque->bottom) - 1;
    store(&deque->bottom, bottom);
    FENCE(4, FP_STORE_LOAD); /* thieves know that this task is going, or we see that it is gone */
    int top = load(&deque->top);
    if (top < bottom) {
        *task = load(&deque->tasks[bottom % SIZE]);
        return true;
    }
    FENCE(5, FP_LOAD_LOAD); /* we compete for the last task with no older top than we saw */
    bool found = top == bottom && cas(&deque->top, top, top + 1);
    FENCE(6, FP_LOAD_STORE); /* the bottom goes up again after the last task has gone */
    if (found)
        *task = load(&deque->tasks[bottom % SIZE]);
    store(&deque->bottom, bottom + 1);
    return found;
}

static bool steal(deque_t *deque, int *task) {
    while (true) {
        int top = load(&deque->top);
        FENCE(7, FP_LOAD_LOAD); /* the bottom is not older than the top */
        int bottom = load(&deque->bottom);
        if (top >= bottom)
            return false;
        FENCE(8, FP_LOAD_LOAD); /* the task is read after it was seen to be there */
        *task = load(&deque->tasks[top % SIZE]);
        FENCE(9, FP_LOAD_STORE); /* and before the slot is given away */
        if (cas(&deque->top, top, top + 1))
            return true;
        fp_retry();
    }
}

static deque_t deque;

static void report(bool found, int task) {
    fp_result("found", found);
    if (found)
        fp_result("task", task);
}

FP_INIT { init_deque(&deque); }

FP_OPERATION(p) { fp_result("pushed", push(&deque, fp_argument("task", 2))); }

FP_OPERATION(t) {
    int task = 0;
    bool found = take(&deque, &task);
    report(found, task);
}

FP_OPERATION(s) {
    int task = 0;
    bool found = steal(&deque, &task);
    report(found, task);
}
