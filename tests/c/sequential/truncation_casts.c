// Narrowing keeps the low bits.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint64_t x = 0x0123456789abcdef;
    for (int i = 0; i < 16; i++) {
        printf("%d %u %d %u %d %u\n", (int8_t)x, (uint8_t)x, (int16_t)x, (uint16_t)x, (int32_t)x, (uint32_t)x);
        x = (x << 4) | (x >> 60);
    }
    return 0;
}
