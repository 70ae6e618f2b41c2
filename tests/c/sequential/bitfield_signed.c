// Signed bit fields wrap in their own width.
#include <stdio.h>

struct fields { signed int a : 1, b : 2, c : 3, d : 7, e : 13; };

int main(void) {
    struct fields f = {0, 0, 0, 0, 0};
    for (int i = -9; i <= 9; i++) {
        f.a = i & 1 ? -1 : 0;
        f.b = (i & 3) - 2;
        f.c = (i & 7) - 4;
        f.d = i * 7;
        f.e = i * 455;
        printf("%d %d %d %d %d\n", f.a, f.b, f.c, f.d, f.e);
    }
    f.e += 1;
    f.d--;
    f.c = f.c * 2 + 1 & 3;
    printf("%d %d %d %zu\n", f.c, f.d, f.e, sizeof f);
    return 0;
}
