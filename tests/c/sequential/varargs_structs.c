// Structs among the variable arguments.
#include <stdarg.h>
#include <stdio.h>

struct point { int x, y; };
struct real { double a, b; };
struct mixed { long n; double d; };
struct large { int numbers[8]; };

static void show(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        if (*kinds == 'p') {
            struct point p = va_arg(list, struct point);
            printf("(%d,%d)", p.x, p.y);
        } else if (*kinds == 'r') {
            struct real r = va_arg(list, struct real);
            printf("(%g,%g)", r.a, r.b);
        } else if (*kinds == 'm') {
            struct mixed m = va_arg(list, struct mixed);
            printf("(%ld,%g)", m.n, m.d);
        } else if (*kinds == 'l') {
            struct large l = va_arg(list, struct large);
            printf("(%d..%d)", l.numbers[0], l.numbers[7]);
        } else
            printf("%d", va_arg(list, int));
    va_end(list);
    putchar('\n');
}

int main(void) {
    struct point p = {1, 2};
    struct real r = {0.5, 0.25};
    struct mixed m = {1L << 40, 9.5};
    struct large l = {{7, 0, 0, 0, 0, 0, 0, 8}};
    show("pirm", p, 5, r, m);
    show("lplili", l, p, l, 1, l, 2);
    show("rrrrrmmmmmmm", r, r, r, r, r, m, m, m, m, m, m, m);
    return 0;
}
