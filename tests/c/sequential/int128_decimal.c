// Decimal digits of 128-bit factorials.
#include <stdio.h>

static void print_decimal(unsigned __int128 v) {
    char digits[41];
    int at = 40;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + (int)(v % 10));
        v /= 10;
    } while (v != 0);
    puts(digits + at);
}

int main(void) {
    unsigned __int128 factorial = 1;
    for (int i = 1; i <= 34; i++) {
        factorial *= (unsigned)i;
        print_decimal(factorial);
    }
    print_decimal(~(unsigned __int128)0);
    return 0;
}
