// Division and remainder of 128-bit numbers, signed and unsigned.
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static void show(wide v) {
    printf("%016llx%016llx ", (unsigned long long)((uwide)v >> 64), (unsigned long long)v);
}

int main(void) {
    wide big = ((wide)0x0123456789abcdef << 64) | 0xfedcba9876543210u;
    wide divisors[] = {1, -1, 3, -10, 1000000007, (wide)1 << 65, -((wide)12345 << 50)};
    for (int i = 0; i < 7; i++) {
        show(big / divisors[i]);
        show(big % divisors[i]);
        show(-big / divisors[i]);
        show(-big % divisors[i]);
        show((wide)((uwide)-big / (uwide)divisors[i]));
        show((wide)((uwide)-big % (uwide)divisors[i]));
        putchar('\n');
    }
    return 0;
}
