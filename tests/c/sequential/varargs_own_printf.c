// A small printf of one's own.
#include <stdarg.h>
#include <stdio.h>

static void number(unsigned long n, unsigned base, int negative) {
    char buffer[66];
    int at = 66;
    do
        buffer[--at] = "0123456789abcdef"[n % base];
    while (n /= base);
    if (negative)
        buffer[--at] = '-';
    while (at < 66)
        putchar(buffer[at++]);
}

static void print(const char *f, ...) {
    va_list list;
    va_start(list, f);
    for (; *f; f++) {
        if (*f != '%') {
            putchar(*f);
            continue;
        }
        switch (*++f) {
        case 'd': {
            long n = va_arg(list, int);
            number(n < 0 ? 0ul - (unsigned long)n : (unsigned long)n, 10, n < 0);
            break;
        }
        case 'x': number(va_arg(list, unsigned), 16, 0); break;
        case 'b': number(va_arg(list, unsigned), 2, 0); break;
        case 's':
            for (const char *s = va_arg(list, const char *); *s; s++)
                putchar(*s);
            break;
        default: putchar(*f);
        }
    }
    va_end(list);
}

int main(void) {
    print("%d %d %x %b %s 100%%\n", -2147483647 - 1, 42, 0xcafeu, 37u, "text");
    return 0;
}
