/*
 * Vyukov's bounded queue for many producers and many consumers (1024cores.net, 2010): a ring of
 * cells, each with a turn that says whom it waits for: turn == position, the producer of
 * that position; turn == position + 1, its consumer. Who may has the cell by moving the
 * position on with a compare-and-swap, and passes it on by setting the turn.
 *
 * Operations: e enqueue, which is refused when the ring is full; d dequeue. Tests: ring.tests.
 *
 * As published, a dequeue says "empty" if the cell at its position is not filled in yet,
 * although somebody is about to, and later cells may be full already; and likewise for "full".
 * So it does not look atomic: in ( e | e d ) the d finds nothing.
 *   -DAS_PUBLISHED    does so
 * Otherwise it compares the two positions, and waits if there is something to come.
 */
#include "atomics.h"

enum { SIZE = 2 };

typedef struct cell {
    atomic_int turn;
    atomic_int value;
} cell_t;

typedef struct ring {
    atomic_int enqueue_position;
    atomic_int dequeue_position;
    cell_t cells[SIZE];
} ring_t;

static void init_ring(ring_t *ring) {
    store(&ring->enqueue_position, 0);
    store(&ring->dequeue_position, 0);
    for (int i = 0; i < SIZE; i++)
        store(&ring->cells[i].turn, i);
}

static bool is_full(ring_t *ring, int position) {
#ifdef AS_PUBLISHED
    return true;
#else
    return load(&ring->dequeue_position) == position - SIZE;
#endif
}

static bool is_empty(ring_t *ring, int position) {
#ifdef AS_PUBLISHED
    return true;
#else
    return load(&ring->enqueue_position) == position;
#endif
}

static bool enqueue(ring_t *ring, int value) {
    cell_t *cell;
    int position;
    while (true) {
        position = load(&ring->enqueue_position);
        FENCE(1, FP_LOAD_LOAD); /* what it is compared with is not older */
        cell = &ring->cells[position % SIZE];
        int turn = load(&cell->turn);
        if (turn == position && cas(&ring->enqueue_position, position, position + 1))
            break;
        if (turn < position && is_full(ring, position))
            return false;
        fp_retry();
    }
    FENCE(2, FP_LOAD_STORE); /* the cell is written after it was seen to be free */
    store(&cell->value, value);
    FENCE(3, FP_STORE_STORE); /* the value is there before the consumer is told */
    store(&cell->turn, position + 1);
    return true;
}

static bool dequeue(ring_t *ring, int *value) {
    cell_t *cell;
    int position;
    while (true) {
        position = load(&ring->dequeue_position);
        FENCE(4, FP_LOAD_LOAD); /* what it is compared with is not older */
        cell = &ring->cells[position % SIZE];
        int turn = load(&cell->turn);
        if (turn == position + 1 && cas(&ring->dequeue_position, position, position + 1))
            break;
        if (turn <= position && is_empty(ring, position))
            return false;
        fp_retry();
    }
    FENCE(5, FP_LOAD_LOAD); /* the value is read after it was seen to be there */
    *value = load(&cell->value);
    FENCE(6, FP_LOAD_STORE); /* and before the cell is given away */
    store(&cell->turn, position + SIZE);
    return true;
}

static ring_t ring;

FP_INIT { init_ring(&ring); }

FP_OPERATION(e) { fp_result("enqueued", enqueue(&ring, fp_argument("value", 2))); }

FP_OPERATION(d) {
    int value;
    bool found = dequeue(&ring, &value);
    fp_result("found", found);
    if (found)
        fp_result("value", value);
}
