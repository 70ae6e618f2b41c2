// Arguments aligned to sixteen bytes leave a gap among those on the stack.
#include <stdarg.h>
#include <stdio.h>

struct wide { __int128 number; int tag; };
struct single { __int128 number; };

static long total(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    long sum = 0;
    for (; *kinds; kinds++) {
        sum *= 3;
        switch (*kinds) {
        case 'i': sum += va_arg(list, int); break;
        case 'd': sum += (long)va_arg(list, double); break;
        case 'n': sum += (long)va_arg(list, struct single).number; break;
        case 's': {
            struct wide s = va_arg(list, struct wide);
            sum += (long)s.number + s.tag;
        }
        }
    }
    va_end(list);
    return sum;
}

int main(void) {
    struct wide s = {1000, 7};
    struct single n = {50};
    printf("%ld\n", total("si", s, 1));
    printf("%ld\n", total("iiiiiisi", 1, 2, 3, 4, 5, 6, s, 8));
    printf("%ld\n", total("iiiiisid", 1, 2, 3, 4, 5, s, 7, 8.0));
    printf("%ld\n", total("iiiiiisiisi", 1, 2, 3, 4, 5, 6, s, 8, 9, s, 11));
    // The second does not fit in the registers that are left, but the last int does.
    printf("%ld\n", total("diindddnddi", 1.0, 2, 3, n, 5.0, 6.0, 7.0, n, 9.0, 10.0, 11));
    return 0;
}
