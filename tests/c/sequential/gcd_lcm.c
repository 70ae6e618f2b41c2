// Euclid's algorithm, recursive and iterative, and the extended one.
#include <stdio.h>

static unsigned recursive(unsigned a, unsigned b) { return b == 0 ? a : recursive(b, a % b); }

static unsigned iterative(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int extended(int a, int b, int *x, int *y) {
    if (b == 0) {
        *x = 1;
        *y = 0;
        return a;
    }
    int x1, y1, g = extended(b, a % b, &x1, &y1);
    *x = y1;
    *y = x1 - a / b * y1;
    return g;
}

int main(void) {
    for (unsigned a = 12; a < 2000; a = a * 3 + 6)
        for (unsigned b = 30; b < 2000; b = b * 2 + 18) {
            int x, y, g = extended((int)a, (int)b, &x, &y);
            printf("%u %u: %u %u %u, %d %d %d\n", a, b, recursive(a, b), iterative(a, b), a / recursive(a, b) * b, g, x, y);
        }
    return 0;
}
