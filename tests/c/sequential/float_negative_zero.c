// Minus zero equals zero but is not the same.
#include <stdio.h>
#include <string.h>

int main(void) {
    volatile double zero = 0.0;
    double minus = -zero;
    unsigned long bits;
    memcpy(&bits, &minus, sizeof bits);
    printf("%d %016lx %g\n", minus == zero, bits, minus);
    printf("%g %g\n", 1.0 / minus, 1.0 / zero);
    printf("%g %g %g\n", minus + zero, minus + minus, minus * 5);
    printf("%g %g\n", 0.0 - zero, -0.0 - zero);
    printf("%d %d\n", __builtin_signbit(minus) != 0, __builtin_signbit(1.0 + zero) != 0);
    volatile float f = 0.0f;
    printf("%g %f %.1f\n", -f, -f, -0.04);
    return 0;
}
