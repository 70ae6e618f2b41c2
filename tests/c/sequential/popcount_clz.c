// Counting bits by builtin and by hand.
#include <stdint.h>
#include <stdio.h>

static int count_by_hand(uint64_t x) {
    int n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

int main(void) {
    uint64_t x = 1;
    for (int i = 0; i < 40; i++) {
        unsigned low = (unsigned)x | 1;
        printf("%d %d %d %d %d %d %d\n", __builtin_popcountll(x), count_by_hand(x), __builtin_clzll(x),
               __builtin_ctzll(x), __builtin_popcount(low), __builtin_clz(low), __builtin_ctz(low));
        x = x * 5 + (x >> 7) + 2;
    }
    return 0;
}
