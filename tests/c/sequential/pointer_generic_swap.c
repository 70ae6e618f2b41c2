// void pointers and a size.
#include <stdio.h>
#include <string.h>

static void swap(void *a, void *b, size_t size) {
    unsigned char t[32];
    memcpy(t, a, size);
    memcpy(a, b, size);
    memcpy(b, t, size);
}
static void reverse(void *base, size_t count, size_t size) {
    char *low = base, *high = low + (count - 1) * size;
    for (; low < high; low += size, high -= size)
        swap(low, high, size);
}

int main(void) {
    int i[] = {1, 2, 3, 4, 5};
    double d[] = {0.5, 1.5};
    struct { char c; int *p; } s[] = {{'a', i}, {'b', i + 1}, {'c', i + 2}};
    reverse(i, 5, sizeof *i);
    reverse(d, 2, sizeof *d);
    reverse(s, 3, sizeof *s);
    printf("%d%d%d%d%d %g %g %c%d %c%d\n", i[0], i[1], i[2], i[3], i[4], d[0], d[1], s[0].c, *s[0].p, s[2].c, *s[2].p);
    return 0;
}
