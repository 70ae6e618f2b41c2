// No comparison with not-a-number is true but !=.
#include <stdio.h>

static void compare(double a, double b) {
    printf("%d%d%d%d%d%d %d%d\n", a < b, a <= b, a > b, a >= b, a == b, a != b, !(a < b), __builtin_isunordered(a, b));
}

int main(void) {
    volatile double zero = 0.0;
    double nan = zero / zero;
    nan = nan < 0 ? 1.0 : nan;
    double values[] = {-1.0, 0.0, nan, 2.0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            compare(values[i], values[j]);
    float f = (float)nan;
    printf("%d %d %d\n", f == f, f != f, f < 1.0f || f >= 1.0f);
    printf("%s\n", nan ? "true" : "false");
    return 0;
}
