// Reversing bits by swapping, by loop and by table.
#include <stdint.h>
#include <stdio.h>

static uint32_t by_swaps(uint32_t x) {
    x = (x & 0x55555555u) << 1 | ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) << 2 | ((x >> 2) & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | ((x >> 4) & 0x0f0f0f0fu);
    return x << 24 | (x & 0xff00) << 8 | ((x >> 8) & 0xff00) | x >> 24;
}

static uint32_t by_loop(uint32_t x) {
    uint32_t y = 0;
    for (int i = 0; i < 32; i++, x >>= 1)
        y = y << 1 | (x & 1);
    return y;
}

static uint8_t by_table(uint8_t x) {
    static const uint8_t nibble[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    return (uint8_t)(nibble[x & 15] << 4 | nibble[x >> 4]);
}

int main(void) {
    for (uint32_t x = 1, i = 0; i < 20; i++, x = x * 3 + 7 * i)
        printf("%08x %08x %08x %02x\n", x, by_swaps(x), by_loop(x), by_table((uint8_t)x));
    return 0;
}
