// Pointers walk in steps of what they point to.
#include <stdint.h>
#include <stdio.h>

struct wide { char c[12]; };

int main(void) {
    int a[10];
    for (int *p = a; p < a + 10; p++)
        *p = (int)(p - a) * 11;
    int *end = a + 10, *middle = &a[5];
    printf("%d %d %d %td\n", *(end - 1), middle[-2], 3[a], end - middle);
    char *bytes = (char *)a;
    printf("%d\n", *(int *)(bytes + 4 * sizeof(int)));
    struct wide w[4], *q = w + 3;
    printf("%td %td\n", q - w, (char *)q - (char *)w);
    int64_t l[3] = {1, 2, 3}, *r = l;
    r += 2;
    r -= 1;
    printf("%d %d\n", (int)*r, (int)r[1]);
    const char *s = "walk";
    while (*s)
        putchar(*s++ + 1);
    putchar('\n');
    return 0;
}
