// A glider on a torus.
#include <stdio.h>
#include <string.h>

#define N 8

int main(void) {
    char world[N][N] = {{0, 1}, {0, 0, 1}, {1, 1, 1}}, next[N][N];
    for (int generation = 0; generation < 4; generation++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                int around = -world[i][j];
                for (int a = N - 1; a <= N + 1; a++)
                    for (int b = N - 1; b <= N + 1; b++)
                        around += world[(i + a) % N][(j + b) % N];
                next[i][j] = around == 3 || (around == 2 && world[i][j]);
            }
        memcpy(world, next, sizeof world);
    }
    for (int i = 0; i < N; i++, putchar('\n'))
        for (int j = 0; j < N; j++)
            putchar(world[i][j] ? '#' : '.');
    return 0;
}
