// Pseudo-random generators of several widths.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint16_t lfsr = 0xace1;
    uint32_t a = 2463534242u, lcg = 1;
    uint64_t b = 88172645463325252u, split = 0;
    for (int i = 0; i < 25; i++) {
        lfsr = (uint16_t)((lfsr >> 1) ^ (-(lfsr & 1u) & 0xb400u));
        a ^= a << 13, a ^= a >> 17, a ^= a << 5;
        b ^= b << 13, b ^= b >> 7, b ^= b << 17;
        lcg = lcg * 1103515245 + 12345;
        split += 0x9e3779b97f4a7c15u;
        uint64_t z = split;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        printf("%u %u %u %llu %llu\n", lfsr, a, lcg >> 16, (unsigned long long)b, (unsigned long long)z);
    }
    return 0;
}
