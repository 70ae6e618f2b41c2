// Fields wider than int.
#include <stdint.h>
#include <stdio.h>

struct wide { uint64_t a : 33, b : 31; int64_t c : 40, d : 24; uint64_t e : 63, f : 1; };

int main(void) {
    struct wide w = {0};
    for (int i = 1; i < 20; i++) {
        w.a = w.a * 3 + 0x100000001;
        w.b = (w.b + (uint64_t)0x10000001) & 0x7fffffff;
        w.c = (int64_t)(w.c * 5 - i) % 100000000000;
        w.d = -i * 300000;
        w.e = ~(uint64_t)w.e >> 1;
        w.f ^= i & 1;
        printf("%llu %llu %lld %lld %llu %llu\n", (unsigned long long)w.a, (unsigned long long)w.b, (long long)w.c,
               (long long)w.d, (unsigned long long)w.e, (unsigned long long)w.f);
    }
    return 0;
}
