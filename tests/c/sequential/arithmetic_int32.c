// Thirty-two bit arithmetic through unsigned, so that it wraps.
#include <stdint.h>
#include <stdio.h>

static int32_t add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static int32_t subtract(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static int32_t multiply(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }

int main(void) {
    const int32_t values[] = {INT32_MIN, -1234567, -1, 0, 1, 65536, 7654321, INT32_MAX};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int32_t a = values[i], b = values[j];
            printf("%d %d: %d %d %d\n", a, b, add(a, b), subtract(a, b), multiply(a, b));
        }
    return 0;
}
