// Byte swaps by builtin and by hand.
#include <stdint.h>
#include <stdio.h>

static uint32_t swap_by_hand(uint32_t x) {
    return (x >> 24) | ((x >> 8) & 0xff00) | ((x << 8) & 0xff0000) | (x << 24);
}

int main(void) {
    uint64_t x = 0x0102030405060708;
    for (int i = 0; i < 10; i++) {
        printf("%04x %08x %08x %016llx\n", __builtin_bswap16((uint16_t)x), __builtin_bswap32((uint32_t)x),
               swap_by_hand((uint32_t)x), (unsigned long long)__builtin_bswap64(x));
        x = x * 6364136223846793005u + 1442695040888963407u;
    }
    return 0;
}
