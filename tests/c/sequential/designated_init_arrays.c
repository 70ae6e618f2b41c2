// Array elements initialised by index.
#include <stdio.h>

enum { LOW = 2, HIGH = 6 };

int main(void) {
    int sparse[] = {[3] = 30, 31, [1] = 10, [7] = 70};
    const char *names[HIGH + 1] = {[LOW] = "low", [HIGH] = "high"};
    int grid[3][3] = {[1] = {[1] = 5}, [2][0] = 7, 8};
    char flags[20] = {[5 ... 9] = 'x', [10] = 'y'};
    for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++)
        printf("%d ", sparse[i]);
    for (int i = 0; i <= HIGH; i++)
        printf("%s ", names[i] ? names[i] : "-");
    for (int i = 0; i < 9; i++)
        printf("%d ", grid[i / 3][i % 3]);
    for (int i = 0; i < 20; i++)
        putchar(flags[i] ? flags[i] : '.');
    putchar('\n');
    return 0;
}
