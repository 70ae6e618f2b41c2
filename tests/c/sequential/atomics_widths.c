// Atomics of one to eight bytes, pointers and floats.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    _Atomic uint8_t a = 250;
    _Atomic int16_t b = 32760;
    _Atomic uint32_t c = 0xfffffff0u;
    _Atomic int64_t d = INT64_MAX - 3;
    _Atomic _Bool e = 0;
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&a, 5);
        atomic_fetch_add(&b, 5);
        atomic_fetch_add_explicit(&c, 9, memory_order_acq_rel);
        atomic_fetch_add_explicit(&d, 2, memory_order_relaxed);
        e = !e;
        printf("%u %d %u %lld %d\n", a, b, c, (long long)d, e);
    }
    int numbers[4] = {1, 2, 3, 4};
    int *_Atomic p = numbers;
    p++;
    atomic_fetch_add(&p, 1);
    printf("%d %d\n", *p, *atomic_load(&p));
    _Atomic double f = 1.5;
    f += 2;
    f = f * 2;
    _Atomic float g = 0.5f;
    g += 1;
    double plain = f;
    float single = g;
    printf("%g %g\n", plain, single);
    return 0;
}
