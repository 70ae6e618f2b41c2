// Loops made of goto, entered in the middle.
#include <stdio.h>

int main(void) {
    int i = 0, j = 0;
again:
    printf("%d ", i);
    if (++i < 5)
        goto again;
    goto middle;
    while (j < 20) {
        printf("[%d]", j);
    middle:
        j += 3;
    }
    printf("%d\n", j);
    for (i = 0; i < 10; i++)
        for (j = 0; j < 10; j++)
            if (i * j == 42)
                goto found;
found:
    printf("%d %d\n", i, j);
    return 0;
}
