// Compilers turn division by constants into multiplications.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint32_t x = 0x9e3779b9;
    for (int i = 0; i < 40; i++) {
        int32_t s = (int32_t)x;
        int64_t l = (int64_t)(((uint64_t)x << 32) | ~x);
        printf("%d %d %d %d %u %u ", s / 3, s % 10, s / -7, s % 16, x / 1000, x % 641);
        printf("%lld %lld\n", (long long)(l / 1000000007), (long long)(l % 97));
        x = x * 1664525 + 1013904223;
    }
    return 0;
}
