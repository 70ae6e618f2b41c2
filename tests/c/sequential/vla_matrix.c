// Two-dimensional arrays of run-time size as parameters.
#include <stdio.h>

static void transpose(int rows, int columns, int from[rows][columns], int to[columns][rows]) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[j][i] = from[i][j];
}

int main(void) {
    for (int rows = 1; rows < 4; rows++) {
        int columns = 5 - rows, a[rows][columns], b[columns][rows];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                a[i][j] = 10 * i + j;
        transpose(rows, columns, a, b);
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                printf("%d ", b[j][i]);
        printf("%zu\n", sizeof a + sizeof b[0]);
    }
    return 0;
}
