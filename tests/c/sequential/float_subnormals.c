// Halving down to nothing through the subnormal numbers.
#include <stdio.h>

int main(void) {
    double d = 1.0;
    int steps = 0;
    while (d > 0) {
        if (steps > 1018)
            printf("%d %a %.17g\n", steps, d, d);
        d /= 2;
        steps++;
    }
    float f = 1.0f;
    for (steps = 0; f > 0; steps++) {
        if (steps > 122)
            printf("%d %a\n", steps, f);
        f /= 2;
    }
    volatile double tiny = 4.9406564584124654e-324;
    printf("%g %g %g\n", tiny * 0.5, tiny * 0.75, tiny + tiny);
    return 0;
}
