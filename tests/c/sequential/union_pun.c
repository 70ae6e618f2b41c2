// The same bytes seen as integers, floats and characters.
#include <stdint.h>
#include <stdio.h>

union view { uint32_t u; int32_t i; float f; uint8_t b[4]; uint16_t h[2]; };
union wide { uint64_t u; double d; uint32_t w[2]; };

int main(void) {
    union view v = {.f = -1.5f};
    printf("%08x %d %u %u %04x %04x\n", v.u, v.i, v.b[0], v.b[3], v.h[0], v.h[1]);
    v.b[2] ^= 0x40;
    printf("%g\n", v.f);
    v.u = 0x40490fdb;
    printf("%.9g\n", v.f);
    union wide w = {.d = 0.1};
    printf("%016llx %08x %08x\n", (unsigned long long)w.u, w.w[0], w.w[1]);
    w.w[1]++;
    printf("%.17g\n", w.d);
    return 0;
}
