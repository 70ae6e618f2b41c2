// Division at the edges of each type.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int8_t a = INT8_MIN;
    int16_t b = INT16_MIN;
    printf("%d %d\n", a / -1, b / -1);
    printf("%d %d\n", (int8_t)(a / -1), (int16_t)(b / -1));
    int c = INT_MIN;
    long d = LONG_MIN;
    for (int i = 1; i < 1000; i *= 7)
        printf("%d %d %ld %ld\n", c / i, c % i, d / i, d % i);
    unsigned e = UINT_MAX;
    unsigned long f = ULONG_MAX;
    for (unsigned i = 1; i < 1000; i *= 7)
        printf("%u %u %lu %lu\n", e / i, e % i, f / i, f % i);
    printf("%u %u\n", (unsigned)c / UINT_MAX, e / (unsigned)c);
    return 0;
}
