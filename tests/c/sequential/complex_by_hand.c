// Complex numbers as structs of two floats or doubles.
#include <stdio.h>

struct single { float re, im; };
struct twice { double re, im; };

static struct single product(struct single a, struct single b) {
    struct single r;
    r.re = a.re * b.re;
    r.re -= a.im * b.im;
    r.im = a.re * b.im;
    r.im += a.im * b.re;
    return r;
}
static struct twice quotient(struct twice a, struct twice b) {
    double n = b.re * b.re;
    n += b.im * b.im;
    double re = a.re * b.re, im = a.im * b.re;
    re += a.im * b.im;
    im -= a.re * b.im;
    return (struct twice){re / n, im / n};
}

int main(void) {
    struct single z = {0.6f, 0.8f}, w = {1, 0};
    struct twice q = {1, 1};
    for (int i = 0; i < 8; i++) {
        w = product(w, z);
        q = quotient(q, (struct twice){w.re, 0.5});
        printf("%.6g %.6g %.12g %.12g\n", w.re, w.im, q.re, q.im);
    }
    return 0;
}
