// Polynomials by Horner's rule; x*y + z must not be fused on this target.
#include <stdio.h>

static double horner(const double *c, int n, double x) {
    double y = 0;
    for (int i = n - 1; i >= 0; i--)
        y = y * x + c[i];
    return y;
}

static float horner_single(const float *c, int n, float x) {
    float y = 0;
    for (int i = n - 1; i >= 0; i--)
        y = y * x + c[i];
    return y;
}

int main(void) {
    double c[] = {1.1, -0.3, 0.07, 1.9, -2.3};
    float f[] = {1.1f, -0.3f, 0.07f, 1.9f, -2.3f};
    for (double x = -2; x <= 2; x += 0.3)
        printf("%a %.9g\n", horner(c, 5, x), horner_single(f, 5, (float)x));
    volatile double one = 1.0; // keeps the compiler from folding the product with one rounding
    double a = one + 1.0 / 134217728, b = -1.0 - 1.0 / 67108864;
    printf("%a\n", a * a + b);
    return 0;
}
