// Inner names hide outer ones.
#include <stdio.h>

static int x = 1;
static int outer(void) { return x; }

int main(void) {
    printf("%d ", x);
    int x = 2;
    printf("%d ", x);
    {
        int x = 3;
        printf("%d ", x);
        for (int x = 4; x < 6; x++) {
            printf("%d ", x);
            int x = 7;
            printf("%d ", x);
        }
        {
            extern int y;
            printf("%d ", y);
        }
        printf("%d ", x);
    }
    printf("%d %d\n", x, outer());
    return 0;
}
int y = 99;
