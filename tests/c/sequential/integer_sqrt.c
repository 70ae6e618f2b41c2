// Integer square and cube roots, bit by bit.
#include <stdint.h>
#include <stdio.h>

static uint32_t square_root(uint64_t x) {
    uint64_t root = 0;
    for (int bit = 31; bit >= 0; bit--) {
        uint64_t candidate = root | (1ull << bit);
        if (candidate * candidate <= x)
            root = candidate;
    }
    return (uint32_t)root;
}

static unsigned cube_root(unsigned x) {
    unsigned y = 0;
    for (int s = 30; s >= 0; s -= 3) {
        y *= 2;
        unsigned b = (3 * y * (y + 1) + 1) << s;
        if (b >> s == 3 * y * (y + 1) + 1 && x >= b) {
            x -= b;
            y++;
        }
    }
    return y;
}

int main(void) {
    for (uint64_t x = 0; x < 1000000000000000000u; x = x * 7 + 1)
        printf("%llu %u %u\n", (unsigned long long)x, square_root(x), cube_root((unsigned)x));
    printf("%u\n", square_root(UINT64_MAX));
    return 0;
}
