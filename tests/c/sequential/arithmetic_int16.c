// Sixteen-bit arithmetic, signed and unsigned, at the edges of the range.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    const int16_t values[] = {INT16_MIN, -12345, -1, 0, 1, 255, 256, 12345, INT16_MAX};
    const int count = sizeof values / sizeof *values;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            int16_t a = values[i], b = values[j];
            uint16_t u = (uint16_t)a, v = (uint16_t)b;
            int16_t s = (int16_t)(a - b);
            uint16_t t = (uint16_t)(u + v);
            uint16_t p = (uint16_t)((unsigned)u * v);
            printf("%d %d %u %u %d\n", a, s, t, p, a < b);
        }
    return 0;
}
