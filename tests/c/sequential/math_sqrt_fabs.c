// sqrt is correctly rounded; fabs clears the sign.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double x = 0.01;
    for (int i = 0; i < 20; i++) {
        printf("%.17g %.17g %.9g\n", sqrt(x), fabs(1.0 - x), sqrtf((float)x));
        x = x * 2.7 + 0.3;
    }
    volatile double minus = -0.0;
    printf("%g %g\n", fabs(minus), sqrt(minus));
    double root = sqrt(-1.0 + minus);
    printf("%d\n", root != root);
    return 0;
}
