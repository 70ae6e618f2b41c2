// Overflow builtins whose operands and result have different types.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    short narrow;
    printf("%d ", __builtin_add_overflow(30000, 3000L, &narrow));
    printf("%d\n", narrow);
    unsigned positive;
    printf("%d ", __builtin_sub_overflow(3, 5, &positive));
    printf("%u\n", positive);
    int sign;
    printf("%d ", __builtin_mul_overflow(UINT_MAX, -1, &sign));
    printf("%d\n", sign);
    long long wide;
    printf("%d ", __builtin_mul_overflow(LLONG_MAX, 2u, &wide));
    printf("%lld\n", wide);
    uint8_t byte;
    for (int i = 0; i < 400; i += 37) {
        int overflowed = __builtin_add_overflow(i, 7, &byte);
        printf("%d %u\n", overflowed, byte);
    }
    return 0;
}
