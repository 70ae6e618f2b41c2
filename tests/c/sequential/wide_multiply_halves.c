// The high half of a 64-bit product from four 32-bit products.
#include <stdint.h>
#include <stdio.h>

static uint64_t high_half(uint64_t a, uint64_t b) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

int main(void) {
    uint64_t x = 0xfedcba9876543210u, y = 0x0f1e2d3c4b5a6978u;
    for (int i = 0; i < 20; i++) {
        uint64_t exact = (uint64_t)((unsigned __int128)x * y >> 64);
        printf("%016llx %d\n", (unsigned long long)high_half(x, y), high_half(x, y) == exact);
        x = x * 3 + i;
        y = ~y * 5;
    }
    return 0;
}
