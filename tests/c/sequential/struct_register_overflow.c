// More struct arguments than there are registers.
#include <stdio.h>

struct pair { long a, b; };
struct reals { double a, b; };

static long integers(struct pair a, struct pair b, int c, struct pair d, struct pair e) {
    return a.a + 2 * a.b + 3 * b.a + 5 * b.b + 7 * c + 11 * d.a + 13 * d.b + 17 * e.a + 19 * e.b;
}

static double floats(struct reals a, struct reals b, struct reals c, double d, struct reals e, struct reals f) {
    return a.a - a.b + 2 * b.a - b.b + 4 * c.a - c.b + 8 * d + 16 * e.a - e.b + 32 * f.a - f.b;
}

int main(void) {
    struct pair p = {1, 2}, q = {3, 4};
    struct reals r = {0.5, 0.25}, s = {1.5, -3};
    printf("%ld %ld\n", integers(p, q, 5, p, q), integers(q, q, -5, q, p));
    printf("%g %g\n", floats(r, s, r, 1, s, r), floats(s, s, s, 0.125, r, s));
    return 0;
}
