// Exact determinants by fraction-free elimination.
#include <stdio.h>

#define N 5

int main(void) {
    for (int seed = 1; seed < 6; seed++) {
        long m[N][N], previous = 1;
        int sign = 1;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                m[i][j] = (i * 7 + j * seed * 5 + i * j * j) % 11 - 5;
        for (int k = 0; k < N - 1 && sign; k++) {
            int pivot = k;
            while (pivot < N && m[pivot][k] == 0)
                pivot++;
            if (pivot == N) {
                sign = 0;
                break;
            }
            if (pivot != k) {
                sign = -sign;
                for (int j = 0; j < N; j++) {
                    long t = m[k][j];
                    m[k][j] = m[pivot][j], m[pivot][j] = t;
                }
            }
            for (int i = k + 1; i < N; i++)
                for (int j = k + 1; j < N; j++)
                    m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / previous;
            previous = m[k][k];
        }
        printf("%ld\n", sign * m[N - 1][N - 1]);
    }
    return 0;
}
