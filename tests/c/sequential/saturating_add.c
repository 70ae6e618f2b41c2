// Saturating arithmetic written with comparisons.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int8_t saturate8(int x) { return (int8_t)(x > INT8_MAX ? INT8_MAX : x < INT8_MIN ? INT8_MIN : x); }
static unsigned add_unsigned(unsigned a, unsigned b) {
    unsigned sum = a + b;
    return sum < a ? UINT_MAX : sum;
}
static int add_signed(int a, int b) {
    if (b > 0 && a > INT_MAX - b)
        return INT_MAX;
    if (b < 0 && a < INT_MIN - b)
        return INT_MIN;
    return a + b;
}

int main(void) {
    for (int i = -120; i <= 120; i += 40)
        for (int j = -120; j <= 120; j += 60)
            printf("%d ", saturate8(i + j));
    putchar('\n');
    printf("%u %u\n", add_unsigned(4000000000u, 500000000u), add_unsigned(1, 2));
    printf("%d %d %d\n", add_signed(INT_MAX, 1), add_signed(INT_MIN, -1), add_signed(-5, 3));
    return 0;
}
