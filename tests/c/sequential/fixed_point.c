// Arithmetic with sixteen fractional bits.
#include <stdint.h>
#include <stdio.h>

typedef int32_t fixed;
static fixed multiply(fixed a, fixed b) { return (fixed)(((int64_t)a * b) >> 16); }
static fixed divide(fixed a, fixed b) { return (fixed)((int64_t)a * 65536 / b); }
static void show(fixed x) {
    printf("%s%d.%04u ", x < 0 ? "-" : "", (x < 0 ? -x : x) >> 16, (unsigned)(((x < 0 ? -x : x) & 0xffff) * 10000u >> 16));
}

int main(void) {
    fixed x = 3 * 65536 + 16384, y = -65536 / 3;
    for (int i = 0; i < 10; i++) {
        show(multiply(x, y));
        show(divide(x, y));
        putchar('\n');
        y += 40000;
        x -= 12345;
    }
    return 0;
}
