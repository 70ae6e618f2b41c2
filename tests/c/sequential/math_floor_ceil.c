// floor and ceil for both signs and at the edges.
#include <math.h>
#include <stdio.h>

int main(void) {
    volatile double values[] = {0.0, -0.0, 0.5, -0.5, 1.0, 1.5, -1.5, 2.999999999, -3.000000001, 4503599627370495.5, 1e300};
    for (int i = 0; i < 11; i++)
        printf("%g %g %g\n", values[i], floor(values[i]), ceil(values[i]));
    printf("%g %g\n", floorf(-2.5f), ceilf(2.5f));
    return 0;
}
