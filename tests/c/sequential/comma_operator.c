// The comma operator evaluates from left to right.
#include <stdio.h>

static int say(int n) {
    printf("<%d>", n);
    return n;
}

int main(void) {
    int x = (say(1), say(2), say(3));
    printf(" %d\n", x);
    for (int i = 0, j = 10; i < j; i++, j -= 2)
        printf("%d %d\n", i, j);
    int y = (x++, x *= 2, x - 1);
    printf("%d %d\n", x, y);
    return 0;
}
