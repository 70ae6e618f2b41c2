// Unsigned bit fields, with arithmetic that wraps around.
#include <stdio.h>

struct fields { unsigned a : 1, b : 3, c : 5, d : 11, e : 12; };

int main(void) {
    struct fields f = {0};
    for (int i = 0; i < 40; i++) {
        f.a++;
        f.b += 3;
        f.c -= 7;
        f.d = f.d * 5 + 1;
        f.e ^= f.d << 1;
        printf("%u %u %u %u %u\n", f.a, f.b, f.c, f.d, f.e);
    }
    printf("%d %d\n", f.b - 8 < 0, ++f.a);
    return 0;
}
