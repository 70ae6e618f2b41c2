// Rotations written with two shifts, which optimisers turn into funnel shifts.
#include <stdint.h>
#include <stdio.h>

static uint8_t rotate8(uint8_t x, unsigned n) { return (uint8_t)((x << (n & 7)) | (x >> (-n & 7))); }
static uint16_t rotate16(uint16_t x, unsigned n) { return (uint16_t)((x << (n & 15)) | (x >> (-n & 15))); }
static uint32_t rotate32(uint32_t x, unsigned n) { return (x << (n & 31)) | (x >> (-n & 31)); }
static uint64_t rotate64(uint64_t x, unsigned n) { return (x << (n & 63)) | (x >> (-n & 63)); }

int main(void) {
    for (unsigned n = 0; n < 70; n += 3)
        printf("%02x %04x %08x %016llx\n", rotate8(0x96, n), rotate16(0xbeef, n), rotate32(0x12345678, n),
               (unsigned long long)rotate64(0x123456789abcdef0u, n));
    return 0;
}
