// Static locals keep their value; each function has its own.
#include <stdio.h>

static int counter(void) {
    static int n = 10;
    return n++;
}
static int other(int reset) {
    static int n;
    static int history[4];
    if (reset)
        n = 0;
    history[n & 3] = n + 1;
    n++;
    return history[0] + history[1] * 10 + history[2] * 100 + history[3] * 1000;
}
static int *cell(void) {
    static int value = 5;
    return &value;
}

int main(void) {
    for (int i = 0; i < 4; i++)
        printf("%d %d\n", counter(), other(i == 2));
    *cell() += 37;
    printf("%d\n", *cell());
    return 0;
}
