// The conditional operator brings both sides to one type.
#include <stdio.h>

int main(void) {
    for (int i = -2; i <= 2; i++) {
        double d = i > 0 ? i : 0.5;
        long l = i < 0 ? -1 : 1u;
        const char *s = i == 0 ? "zero" : i > 0 ? "positive" : "negative";
        printf("%g %ld %s\n", d, l, s);
    }
    int a = 3, b = 4;
    int *larger = a > b ? &a : &b;
    *larger = 10;
    printf("%d %d %zu\n", a, b, sizeof(1 ? 'a' : 1L));
    printf("%d\n", a ?: 7);
    return 0;
}
