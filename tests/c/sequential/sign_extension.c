// Widening keeps the value; going through unsigned drops the sign.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    for (int i = -128; i < 128; i += 17) {
        int8_t a = (int8_t)i;
        int16_t b = a;
        int32_t c = a;
        int64_t d = a;
        uint16_t e = (uint16_t)a;
        uint32_t f = (uint8_t)a;
        uint64_t g = (uint64_t)a;
        uint64_t h = (uint64_t)(uint32_t)a;
        printf("%d %d %lld %u %u %llu %llu\n", b, c, (long long)d, e, f, (unsigned long long)g,
               (unsigned long long)h);
    }
    return 0;
}
