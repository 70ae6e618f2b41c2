// Matrices of doubles, multiplied and raised to a power.
#include <stdio.h>

#define N 4
typedef double matrix[N][N];

static void multiply(matrix a, matrix b, matrix out) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            out[i][j] = sum;
        }
}

int main(void) {
    volatile double one = 1.0; // keeps the compiler from folding sums of products
    matrix a, b, c;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = one / (i + j + 1);
            b[i][j] = i == j ? 1.5 : -0.1 * j;
        }
    multiply(a, b, c);
    multiply(c, c, a);
    for (int i = 0; i < N; i++)
        printf("%.17g %.17g %.17g %.17g\n", a[i][0], a[i][1], a[i][2], a[i][3]);
    return 0;
}
