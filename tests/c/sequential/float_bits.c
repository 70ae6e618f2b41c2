// The sign, exponent and mantissa of numbers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void take_apart(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    printf("%08x: %u %d %06x\n", bits, bits >> 31, (int)(bits >> 23 & 0xff) - 127, bits & 0x7fffff);
}

static float inverse_square_root(float x) {
    uint32_t i;
    memcpy(&i, &x, sizeof i);
    i = 0x5f3759df - (i >> 1);
    float y;
    memcpy(&y, &i, sizeof y);
    y = y * (1.5f - 0.5f * x * y * y);
    return y;
}

int main(void) {
    float values[] = {0.0f, 1.0f, -2.0f, 0.1f, 3.14159274f, 1e-40f, 1e38f};
    for (int i = 0; i < 7; i++)
        take_apart(values[i]);
    for (float x = 1; x < 100; x *= 3)
        printf("%.9g\n", inverse_square_root(x));
    return 0;
}
