// Sums of a variable number of integers, beyond the registers.
#include <stdarg.h>
#include <stdio.h>

static long sum(int count, ...) {
    va_list list;
    va_start(list, count);
    long total = 0;
    for (int i = 0; i < count; i++)
        total = total * 3 + va_arg(list, int);
    va_end(list);
    return total;
}

int main(void) {
    printf("%ld\n", sum(0));
    printf("%ld\n", sum(1, -5));
    printf("%ld\n", sum(5, 1, 2, 3, 4, 5));
    printf("%ld\n", sum(12, 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12));
    return 0;
}
