// Parity, first set bit and redundant sign bits.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int32_t x = 1;
    for (int i = 0; i < 32; i++) {
        printf("%d %d %d %d\n", __builtin_parity((unsigned)x), __builtin_ffs(x), __builtin_clrsb(x),
               __builtin_parityll((unsigned long long)x * 3));
        x = (int32_t)((uint32_t)x * 48271u);
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_ffsll(1LL << 40));
    return 0;
}
