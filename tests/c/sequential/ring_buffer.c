// A queue in a ring, with indices that wrap around.
#include <stdint.h>
#include <stdio.h>

static struct { int items[8]; uint8_t head, tail; } ring = {.head = 250, .tail = 250};

static int put(int x) {
    if ((uint8_t)(ring.tail - ring.head) == 8)
        return 0;
    ring.items[ring.tail++ % 8] = x;
    return 1;
}
static int take(int *x) {
    if (ring.head == ring.tail)
        return 0;
    *x = ring.items[ring.head++ % 8];
    return 1;
}

int main(void) {
    int next = 0, x;
    for (int round = 0; round < 6; round++) {
        while (put(next))
            next++;
        for (int i = 0; i < 3 + round && take(&x); i++)
            printf("%d ", x);
    }
    printf("| %d %u %u\n", next, ring.head, ring.tail);
    return 0;
}
