// Arguments of all kinds in one call, described by a string.
#include <stdarg.h>
#include <stdio.h>

static void show(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'l': printf("%ld ", va_arg(list, long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 's': printf("%s ", va_arg(list, const char *)); break;
        case 'c': printf("%c ", va_arg(list, int)); break;
        case 'u': printf("%llu ", va_arg(list, unsigned long long)); break;
        case 'f': printf("%d ", va_arg(list, int (*)(int))(20)); break;
        }
    va_end(list);
    putchar('\n');
}

static int next(int x) { return x + 1; }

int main(void) {
    show("ildscu", 1, -2L, 3.5, "four", '5', 6ull);
    show("didididididididididi", 1.5, 1, 2.5, 2, 3.5, 3, 4.5, 4, 5.5, 5, 6.5, 6, 7.5, 7, 8.5, 8, 9.5, 9, 10.5, 10);
    show("fsf", next, "x", next);
    show("");
    return 0;
}
