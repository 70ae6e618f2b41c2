// Arrays decay; sizes in parameters are promises.
#include <stdio.h>

static int sum(const int a[static 3]) { return a[0] + a[1] + a[2]; }
static void fill(int *restrict to, const int *restrict from, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1 - i];
}
static int last(int n, int a[n]) { return a[n - 1]; }
static double corner(int rows, int columns, double m[rows][columns]) { return m[rows - 1][columns - 1]; }

int main(void) {
    int a[] = {1, 2, 3, 4}, b[4];
    double m[2][3] = {{1, 2, 3}, {4, 5, 6.5}};
    fill(b, a, 4);
    printf("%d %d %d %g\n", sum(a), sum(b + 1), last(4, b), corner(2, 3, m));
    return 0;
}
