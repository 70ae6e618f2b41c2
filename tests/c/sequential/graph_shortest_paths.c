// Floyd-Warshall and a breadth-first search.
#include <limits.h>
#include <stdio.h>

#define N 7

int main(void) {
    static const struct { char from, to, length; } edges[] = {{0, 1, 4}, {1, 2, 3}, {0, 3, 9}, {2, 3, 1}, {3, 4, 2}, {4, 5, 6}, {5, 0, 1}};
    int d[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : INT_MAX;
    for (unsigned e = 0; e < sizeof edges / sizeof *edges; e++)
        d[(int)edges[e].from][(int)edges[e].to] = edges[e].length;
    int queue[N], head = 0, tail = 0, steps[N] = {0};
    queue[tail++] = 2;
    while (head < tail) {
        int at = queue[head++];
        for (int j = 0; j < N; j++)
            if (d[at][j] != INT_MAX && j != 2 && steps[j] == 0)
                steps[j] = steps[at] + 1, queue[tail++] = j;
    }
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (d[i][k] != INT_MAX && d[k][j] != INT_MAX && d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            printf(d[i][j] == INT_MAX ? " -" : " %d", d[i][j]);
        printf(" | %d\n", steps[i]);
    }
    return 0;
}
