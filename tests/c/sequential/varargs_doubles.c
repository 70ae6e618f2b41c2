// Floating arguments in the registers and on the stack; float becomes double.
#include <stdarg.h>
#include <stdio.h>

static double sum(int count, ...) {
    va_list list;
    va_start(list, count);
    double total = 0;
    while (count-- > 0)
        total = total / 2 + va_arg(list, double);
    va_end(list);
    return total;
}

int main(void) {
    float f = 1.25f;
    printf("%g %g %g\n", sum(0), sum(1, 0.5), sum(3, f, f, 2.0));
    printf("%.17g\n", sum(12, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0));
    return 0;
}
