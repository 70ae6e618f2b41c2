// Compound assignment to narrow types and array elements with side effects.
#include <stdint.h>
#include <stdio.h>

static int calls;
static int next(void) { return calls++; }

int main(void) {
    int a[4] = {100, 200, 300, 400};
    a[next()] += 7;
    a[next()] -= 7;
    a[next()] *= 3;
    a[next()] /= 3;
    printf("%d %d %d %d, %d calls\n", a[0], a[1], a[2], a[3], calls);
    int8_t n = 100;
    n += 100;
    printf("%d ", n);
    n >>= 1;
    printf("%d ", n);
    n &= 0x5a;
    printf("%d ", n);
    n |= 0x81 - 256;
    printf("%d ", n);
    n ^= 0x33;
    printf("%d ", n);
    n %= 7;
    printf("%d\n", n);
    unsigned u = 10;
    u -= 11;
    u /= 2;
    printf("%u\n", u);
    int i = 10;
    i *= 1.55;
    printf("%d\n", i);
    uint64_t w = 1;
    w <<= 40;
    w += i;
    printf("%llu\n", (unsigned long long)w);
    return 0;
}
