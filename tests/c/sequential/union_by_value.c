// Unions as parameters and results.
#include <stdio.h>

union number { int i; double d; char c[12]; };

static union number from_double(double d) { union number n; n.d = d; return n; }
static union number from_text(const char *s) {
    union number n = {.c = ""};
    for (int i = 0; i < 11 && s[i]; i++)
        n.c[i] = s[i];
    return n;
}
static double twice(union number n) { return n.d * 2; }
static int length(union number n) {
    int i = 0;
    while (n.c[i])
        i++;
    return i;
}

int main(void) {
    printf("%g %d %zu\n", twice(from_double(1.75)), length(from_text("fencepost")), sizeof(union number));
    union number a = from_double(3), b = a;
    b.i = 0;
    printf("%g %d\n", a.d, b.i);
    return 0;
}
