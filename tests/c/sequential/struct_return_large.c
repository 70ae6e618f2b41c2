// Structs too large for registers are returned through memory.
#include <stdio.h>

struct large { int numbers[12]; double weight; };

static struct large make(int start) {
    struct large l;
    for (int i = 0; i < 12; i++)
        l.numbers[i] = start + i * i;
    l.weight = start / 4.0;
    return l;
}

static struct large add(struct large a, struct large b) {
    for (int i = 0; i < 12; i++)
        a.numbers[i] += b.numbers[11 - i];
    a.weight *= b.weight;
    return a;
}

int main(void) {
    struct large a = make(1), b = make(100), c = add(a, b);
    a = add(a, add(b, c));
    for (int i = 0; i < 12; i++)
        printf("%d %d %d\n", a.numbers[i], b.numbers[i], c.numbers[i]);
    printf("%g %g %g %d\n", a.weight, b.weight, c.weight, make(7).numbers[3]);
    return 0;
}
