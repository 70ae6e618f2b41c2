// Shifts of 128-bit numbers by every amount.
#include <stdio.h>

static void show(unsigned __int128 v) {
    printf("%016llx%016llx ", (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void) {
    unsigned __int128 u = ((unsigned __int128)0xdeadbeefcafebabeu << 64) | 0x0123456789abcdefu;
    __int128 s = (__int128)u;
    for (int i = 0; i < 128; i += 3) {
        show(u << i);
        show(u >> i);
        show((unsigned __int128)(s >> i));
        putchar('\n');
    }
    return 0;
}
