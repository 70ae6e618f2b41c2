// Arrays whose length is known at run time, in a loop.
#include <stdio.h>

static int sum(int n) {
    int squares[n];
    for (int i = 0; i < n; i++)
        squares[i] = i * i;
    int total = 0;
    for (int i = n; i-- > 0;)
        total += squares[i];
    return total + (int)(sizeof squares / sizeof *squares);
}

int main(void) {
    for (int n = 1; n < 40; n += 6)
        printf("%d ", sum(n));
    int total = 0;
    for (int n = 1; n < 10; n++) {
        char text[n + 1];
        for (int i = 0; i < n; i++)
            text[i] = (char)('a' + i);
        text[n] = '\0';
        total += (int)sizeof text;
        printf("%s ", text);
    }
    printf("%d\n", total);
    return 0;
}
