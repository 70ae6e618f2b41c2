// Conversion to integers drops the fraction.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    double values[] = {0.0, 0.9, -0.9, 1.5, -1.5, 99.99, -99.99, 126.7, -127.2};
    for (int i = 0; i < 9; i++) {
        double d = values[i];
        float f = (float)d;
        printf("%d %d %d %lld %d %d %lld\n", (int8_t)d, (int16_t)d, (int)d, (long long)d, (int8_t)f, (int)f, (long long)f);
        if (d > -1)
            printf("%u %u %llu %u\n", (uint8_t)d, (unsigned)d, (unsigned long long)d, (uint16_t)f);
    }
    printf("%d %u %lld\n", (int)2147483647.5, (unsigned)4294967295.5, (long long)9.2e18);
    printf("%llu %llu\n", (unsigned long long)1.8e19, (unsigned long long)9.3e18f);
    return 0;
}
