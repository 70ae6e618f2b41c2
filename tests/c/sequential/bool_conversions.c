// Anything but zero becomes true, whatever its type.
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    double quarter = 0.25, minus_zero = -0.0;
    bool from_int = 256, from_zero = 0, from_double = quarter, from_minus_zero = minus_zero;
    int x = 5, *pointer = &x, *null = 0;
    bool from_pointer = pointer, from_null = null;
    printf("%d %d %d %d %d %d\n", from_int, from_zero, from_double, from_minus_zero, from_pointer, from_null);
    bool b = true;
    b = b + b;
    printf("%d\n", b);
    b ^= 1;
    printf("%d %d %d\n", b, !b, !!x);
    b |= 8;
    printf("%d %zu\n", b, sizeof b);
    bool table[4] = {x > 3, x < 3, x == 5, x != 5};
    for (int i = 0; i < 4; i++)
        putchar(table[i] ? 'T' : 'F');
    putchar('\n');
    return 0;
}
