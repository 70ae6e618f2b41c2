// The overflow builtins tell, and still give the wrapped result.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    const int values[] = {INT_MIN, -65536, -1, 0, 1, 65536, INT_MAX};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            int a = values[i], b = values[j], sum, difference, product;
            int o1 = __builtin_add_overflow(a, b, &sum);
            int o2 = __builtin_sub_overflow(a, b, &difference);
            int o3 = __builtin_mul_overflow(a, b, &product);
            printf("%d %d, %d %d, %d %d", o1, sum, o2, difference, o3, product);
            unsigned u;
            int o4 = __builtin_add_overflow((unsigned)a, (unsigned)b, &u);
            printf(", %d %u", o4, u);
            uint64_t w;
            int o5 = __builtin_mul_overflow((uint64_t)(int64_t)a, (uint64_t)(int64_t)b, &w);
            printf(", %d %llu", o5, (unsigned long long)w);
            int8_t n;
            int o6 = __builtin_sub_overflow(a, b, &n);
            printf(", %d %d\n", o6, n);
        }
    return 0;
}
