// Boolean algebra on random words.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint32_t x = 2463534242u;
    for (int i = 0; i < 30; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        uint32_t y = x * 2654435761u;
        printf("%08x %08x %08x %08x ", x & y, x | y, x ^ y, ~x);
        printf("%d%d%d\n", (x & y) + (x | y) == x + y, (x ^ y) == ((x | y) & ~(x & y)), -x == ~x + 1);
    }
    return 0;
}
