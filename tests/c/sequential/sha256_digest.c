// SHA-256 of a short message.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t root_bits(unsigned prime, int cube) {
    // The first 32 bits of the fraction of the square or cube root.
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 35;
    while (high - low > 1) {
        unsigned __int128 middle = (low + high) / 2, power = middle * middle;
        int above = cube ? power * middle > (unsigned __int128)prime << 96 : power > (unsigned __int128)prime << 64;
        if (above)
            high = middle;
        else
            low = middle;
    }
    return (uint32_t)low;
}
static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

int main(void) {
    uint32_t k[64], h[8], w[64];
    for (unsigned n = 0, p = 2; n < 64; p++) {
        int prime = 1;
        for (unsigned d = 2; prime && d * d <= p; d++)
            prime = p % d != 0;
        if (!prime)
            continue;
        if (n < 8)
            h[n] = root_bits(p, 0);
        k[n++] = root_bits(p, 1);
    }
    uint8_t block[64] = "abc";
    block[3] = 0x80;
    block[63] = 24;
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    uint32_t s[8];
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t e = s[4], a = s[0];
        uint32_t t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        printf("%08x", h[i] + s[i]);
    putchar('\n');
    return 0;
}
