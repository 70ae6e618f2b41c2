// Every unsigned width wraps around modulo a power of two.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint8_t a = 250;
    uint16_t b = 65530;
    uint32_t c = 4294967290u;
    uint64_t d = 18446744073709551610u;
    for (int i = 0; i < 12; i++) {
        printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
        a++;
        b++;
        c++;
        d++;
    }
    for (int i = 0; i < 12; i++) {
        a = (uint8_t)(a - 3);
        b = (uint16_t)(b - 3);
        c -= 3;
        d -= 3;
        printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
    }
    return 0;
}
