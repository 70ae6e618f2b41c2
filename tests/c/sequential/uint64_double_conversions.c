// Unsigned 64-bit numbers and doubles, above the signed range.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint64_t values[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, 0xfffffffffffff000u, 0xfffffffffffffbffu, 0x8000000000000401u};
    for (int i = 0; i < 7; i++) {
        volatile double d = (double)values[i];
        volatile float f = (float)values[i];
        printf("%.17g %.9g", d, f);
        if (d < 18446744073709551616.0)
            printf(" %llu", (unsigned long long)(uint64_t)d);
        putchar('\n');
    }
    return 0;
}
