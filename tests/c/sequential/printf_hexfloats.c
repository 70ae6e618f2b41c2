// Hexadecimal floats.
#include <stdio.h>

int main(void) {
    const double values[] = {0.0, 1.0, -0.5, 3.75, 1e10, 0.1, 1e-310, 1.7976931348623157e308};
    for (int i = 0; i < 8; i++)
        printf("%a %A %.3a %.0a %20a\n", values[i], values[i], values[i], values[i], values[i]);
    printf("%g %g\n", 0x1.8p3, 0x.1p0);
    return 0;
}
