// Right shifts of negative numbers keep the sign; those of unsigned do not.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int8_t a = -100;
    int16_t b = -30000;
    int32_t c = -2000000000;
    int64_t d = -9000000000000000000;
    for (int i = 0; i < 8; i++)
        printf("%d %d %d %lld\n", a >> i, b >> (2 * i), c >> (4 * i), (long long)(d >> (8 * i)));
    for (int i = 0; i < 8; i++)
        printf("%u %u %u %llu\n", (uint8_t)a >> i, (uint16_t)b >> i, (uint32_t)c >> i,
               (unsigned long long)((uint64_t)d >> i));
    return 0;
}
