// Arithmetic with infinities.
#include <stdio.h>

int main(void) {
    volatile double zero = 0.0, one = 1.0;
    double infinity = one / zero;
    printf("%g %g %g\n", infinity, -infinity, infinity + 1);
    printf("%d %d\n", infinity > 1e308, -infinity < -1e308);
    printf("%g %g\n", one / infinity, one / -infinity);
    double difference = infinity - infinity;
    printf("%d\n", difference != difference);
    volatile float big = 3e38f;
    printf("%g %g\n", big * 10.0f, -big * big);
    volatile double huge = 1e308;
    printf("%f %e\n", huge * 10, -huge * 10);
    return 0;
}
