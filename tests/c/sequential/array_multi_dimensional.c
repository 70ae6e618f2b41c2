// Arrays of arrays, and pointers to rows.
#include <stdio.h>

static int trace(int m[][4], int n) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}

int main(void) {
    int m[3][4], cube[2][3][4], (*row)[4] = m;
    for (int i = 0; i < 12; i++)
        m[i / 4][i % 4] = i * i;
    for (int i = 0; i < 24; i++)
        cube[i / 12][i / 4 % 3][i % 4] = i;
    printf("%d %d %d %d\n", trace(m, 3), (*(row + 1))[2], row[2][3], *(*(m + 1) + 1));
    printf("%d %d %zu %zu\n", cube[1][2][3], cube[0][1][0], sizeof m[0], sizeof cube[0]);
    int (*pages)[3][4] = cube;
    pages++;
    printf("%d %td\n", (*pages)[0][1], &cube[1][1][1] - &cube[1][0][0] );
    return 0;
}
