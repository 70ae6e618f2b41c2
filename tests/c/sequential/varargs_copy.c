// va_copy lets a list be read twice.
#include <stdarg.h>
#include <stdio.h>

static double spread(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    double mean = 0, sum = 0;
    for (int i = 0; i < count; i++)
        mean += va_arg(list, int);
    va_end(list);
    mean /= count;
    for (int i = 0; i < count; i++) {
        double d = va_arg(again, int) - mean;
        sum += d * d;
    }
    va_end(again);
    return sum / count;
}

int main(void) {
    printf("%g %g\n", spread(4, 1, 2, 3, 4), spread(9, 5, 5, 5, 5, 5, 5, 5, 5, 14));
    return 0;
}
