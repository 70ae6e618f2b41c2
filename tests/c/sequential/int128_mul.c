// 64 x 64 -> 128 bit products, printed in halves.
#include <stdint.h>
#include <stdio.h>

static void show(unsigned __int128 v) {
    printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void) {
    const uint64_t values[] = {0, 1, 3, 0xffffffffu, 0x123456789abcdef0u, 0x8000000000000000u, UINT64_MAX};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            show((unsigned __int128)values[i] * values[j]);
            show((unsigned __int128)((__int128)(int64_t)values[i] * (int64_t)values[j]));
        }
    return 0;
}
