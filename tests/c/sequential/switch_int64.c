// Cases that only differ above 32 bits.
#include <stdio.h>

static int f(long long x) {
    switch (x) {
    case 1: return 1;
    case 1 + (1LL << 32): return 2;
    case 1 - (1LL << 32): return 3;
    case 0x7fffffffffffffff: return 4;
    default: return 5;
    }
}

int main(void) {
    printf("%d %d %d %d %d\n", f(1), f(4294967297), f(-4294967295), f(0x7fffffffffffffff), f(0));
    return 0;
}
