// Calls through a table of functions.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int larger(int a, int b) { return a > b ? a : b; }

static const struct { char sign; int (*apply)(int, int); } operators[] = {
    {'+', add}, {'-', subtract}, {'*', multiply}, {'^', larger}};

int main(void) {
    for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
        for (int a = -3; a <= 3; a += 2)
            printf("%d %c %d = %d\n", a, operators[i].sign, 5 - a, operators[i].apply(a, 5 - a));
    int (*chosen)(int, int) = add;
    printf("%d %d %d\n", chosen == add, chosen != subtract, (*chosen)(1, 2) + (&add)(3, 4));
    return 0;
}
