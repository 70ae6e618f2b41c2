// Infinities and not-a-number in all conversions.
#include <stdio.h>

int main(void) {
    volatile double zero = 0.0;
    double infinity = 1 / zero;
    double nan = __builtin_nan("");
    printf("%f %F %e %g %a [%8f] [%-8g] [%08f] [%+f]\n", infinity, infinity, -infinity, infinity, -infinity, infinity, infinity, infinity, infinity);
    printf("%f %F %g [%6g] [%.2f]\n", nan, nan, nan, nan, nan);
    return 0;
}
